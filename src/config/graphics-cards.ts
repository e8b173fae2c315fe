import { existsSync } from 'node:fs';

/** Where Linux shows graphics cards, even in a container. */
const CARDS = ['/dev/dri', '/dev/nvidiactl', '/dev/kfd', '/dev/dxg', '/dev/mali0', '/dev/nvhost-gpu'];

/** Asking a driver on a machine without a card costs 100 MB and a second. */
export function mayHaveCard(): boolean {
  return process.platform !== 'linux' || CARDS.some((node) => existsSync(node));
}
