import type { SessionDescription } from '../../../src/runtime/engine.ts';

type Device = Pick<SessionDescription, 'device'> & Partial<Pick<SessionDescription, 'graphics'>>;

const DEVICE = /backend device\[\d+\]: name='.*?', desc='(.*?)', type=(\w+), reg='(\w+)'.*?mem_total=(\d+)/g;
const WEIGHTS = /total params memory size = .*?\(VRAM ([\d.]+)MB, RAM/;

/** The device that the library uses, from its log while loading. */
export function readDevice(words: string): Device {
  const cards = [...words.matchAll(DEVICE)].filter(([, , type]) => type !== 'CPU' && type !== 'ACCEL');
  const kind = cards[0]?.[3]?.toLowerCase();
  if (kind === undefined) return { device: 'cpu' };
  return {
    device: kind,
    graphics: {
      kind,
      devices: cards.map(([, description = '']) => description),
      totalBytes: cards.reduce((sum, [, , , , bytes]) => sum + Number(bytes), 0),
      isShared: cards.every(([, , type]) => type === 'IGPU') || kind === 'metal',
    },
  };
}

export function readVramBytes(words: string): number {
  return Math.round(Number(WEIGHTS.exec(words)?.[1] ?? 0) * 1024 * 1024);
}
