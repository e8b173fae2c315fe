import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CARD_BACKENDS, type CardBackend } from '../manifest.ts';
import { VISIBLE, type Device } from './device.ts';

/** What the child process finds for one backend. */
type Found = {
  name: string;
  works: boolean;
  devices: string[];
  memory?: { total: number; free: number; isShared: boolean };
};

type Seen = Pick<Device, 'backend' | 'selector'>;

type Options = {
  /** The program that looks for cards. */
  entry: string;
  /** As runners have it. */
  environment: Readonly<Record<string, string>>;
};

const LOOK_MS_MAX = 60_000;
const CARDS_MAX = 16;

/**
 * The graphics cards of this machine. The engine reports the memory of all cards that it sees together, so a process
 * is started for each card that sees only that one. Drivers also list cards that the engine would not use by default.
 */
export async function findDevices(options: Options): Promise<Device[]> {
  const found = await look(options, []);
  const devices: Omit<Device, 'index'>[] = [];
  for (const backend of CARD_BACKENDS) {
    const all = found.find(({ name, works }) => name === backend && works);
    if (all) devices.push(...(await cardsOf(backend, all, options)));
  }
  return devices.map((device, index) => ({ ...device, index }));
}

async function cardsOf(backend: CardBackend, all: Found, options: Options): Promise<Omit<Device, 'index'>[]> {
  const cards: Omit<Device, 'index'>[] = [];
  const isOnly = VISIBLE[backend] === undefined;
  const automatic = new Set(all.devices);
  for (const selector of selectorsOf(backend, all, options.environment)) {
    const card = isOnly ? all : await lookAt({ backend, selector }, options);
    const [name, ...others] = card?.devices ?? [];
    if (!card?.memory || name === undefined || others.length > 0) break;
    const { total, free, isShared } = card.memory;
    const isAutomatic = automatic.has(name);
    const memory = { totalBytes: total, freeBytes: free, isShared };
    cards.push({ backend, place: cards.length, name, ...memory, isAutomatic, selector });
  }
  return cards;
}

/** How much is free on this card now, if its driver reports it. */
export async function freeBytesOf(card: Device, options: Options): Promise<number | undefined> {
  return (await lookAt(card, options))?.memory?.free;
}

/** A process that sees only this card. */
async function lookAt({ backend, selector }: Seen, options: Options): Promise<Found | undefined> {
  const variable = VISIBLE[backend];
  const alone = variable === undefined ? {} : { [variable]: selector };
  const [found] = await look({ ...options, environment: { ...options.environment, ...alone } }, [backend]);
  return found;
}

/** What the owner already hid stays hidden. Vulkan numbers all cards, including those that the engine skips. */
function selectorsOf(
  backend: CardBackend,
  { devices }: Found,
  environment: Options['environment'],
): string[] {
  const given = environment[VISIBLE[backend] ?? '']?.split(',').map((selector) => selector.trim());
  if (given) return given.filter((selector) => selector !== '');
  const count = backend === 'vulkan' ? CARDS_MAX : devices.length;
  return Array.from({ length: count }, (_, number) => String(number));
}

/** A separate process: a driver may crash, and its memory is freed afterwards. */
async function look({ entry, environment }: Options, args: readonly string[]): Promise<Found[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, ...args], {
    env: environment,
    timeout: LOOK_MS_MAX,
  }).catch(() => ({ stdout: '' }));
  const at = stdout.lastIndexOf('{"backends"');
  return at < 0 ? [] : (JSON.parse(stdout.slice(at)) as { backends: Found[] }).backends;
}
