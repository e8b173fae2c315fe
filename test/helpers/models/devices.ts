import { existsSync, readdirSync } from 'node:fs';
import type { Device } from '../../../src/runtime/devices/device.ts';

const ICD = '/usr/share/vulkan/icd.d';

/** Mesa's processor that presents itself as a card: any machine can have it, so tests need no real card. */
export const hasSoftwareVulkan =
  process.platform === 'linux' &&
  existsSync(ICD) &&
  readdirSync(ICD).some((name) => name.startsWith('lvp_icd'));

export const NO_SOFTWARE_VULKAN =
  'there is no software Vulkan: sudo apt-get install mesa-vulkan-drivers libvulkan1';

/** A list of cards as the engine might find them, numbered in the given order. */
export function scriptedDevices(cards: readonly Partial<Device>[]): Device[] {
  const places = new Map<string, number>();
  return cards.map((card, index) => {
    const { backend = 'cuda' } = card;
    const place = places.get(backend) ?? 0;
    places.set(backend, place + 1);
    const memory = { totalBytes: 24e9, freeBytes: card.totalBytes ?? 24e9, isShared: false };
    return {
      ...{ index, backend, place, name: `Card ${index}`, selector: String(place), isAutomatic: true },
      ...memory,
      ...card,
    };
  });
}
