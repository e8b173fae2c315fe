import { setImmediate } from 'node:timers/promises';
import type { Io } from '../output/output.ts';

/** In raw mode keys arrive as they are typed, and none of them sends a signal. */
export function setRaw(stdin: Io['stdin'], isRaw: boolean): void {
  (stdin as Io['stdin'] & { setRawMode?: (raw: boolean) => void }).setRawMode?.(isRaw);
}

/** Until then the terminal turns Enter into a line feed, which is Ctrl-J later, and Linux keeps a Ctrl-D as zero. */
const AS_KEYS: Readonly<Record<number, number>> = { 0: 4, 10: 13 };

/** Enters raw mode. Resolves to the keys that were pressed before. */
export async function enterRaw(stdin: Io['stdin']): Promise<Buffer> {
  const parts: Buffer[] = [];
  const onData = (part: Buffer | string) => void parts.push(Buffer.from(part));
  setRaw(stdin, true);
  stdin.on('data', onData).resume();
  for (let taken = -1; taken < parts.length;) {
    taken = parts.length;
    // In two turns the event loop has looked for input at least once.
    await setImmediate();
    await setImmediate();
  }
  stdin.off('data', onData).pause();
  return Buffer.from(Buffer.concat(parts).map((code) => AS_KEYS[code] ?? code));
}
