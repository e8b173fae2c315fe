import { readFileSync } from 'node:fs';

/**
 * Loaded into the daemon before anything else: shifts the time of day by the number of milliseconds in the file.
 * Timers and `performance` are unaffected, as when the clock of a machine is set. A sandboxed runner knows nothing
 * about it.
 */
const FILE = process.env['ASKD_SOAK_CLOCK'] ?? '';
const LOOK_EVERY_MS = 100;
const RealDate = Date;
let offsetMs = 0;

setInterval(() => (offsetMs = read()), LOOK_EVERY_MS).unref();

function read(): number {
  try {
    return Number(readFileSync(FILE, 'utf8'));
  } catch {
    return offsetMs;
  }
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});

function now(): number {
  return RealDate.now() + offsetMs;
}
