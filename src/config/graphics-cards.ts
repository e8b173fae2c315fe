import { existsSync } from 'node:fs';

/** Where Linux shows graphics cards, in a container too. */
const CARDS = ['/dev/dri', '/dev/nvidiactl', '/dev/kfd', '/dev/dxg', '/dev/mali0', '/dev/nvhost-gpu'];

/** Asking a driver without a card costs 100 MB and a second. */
export function mayHaveCard(): boolean {
  return process.platform !== 'linux' || CARDS.some((node) => existsSync(node));
}
