import { existsSync, readdirSync } from 'node:fs';
import { installOnDebian } from './debian.js';

const DRIVERS = '/usr/share/vulkan/icd.d';

/** Models are tested on a graphics card that any machine can have: Mesa's, which runs on the processor. */
export async function ensureSoftwareVulkan() {
  const has = existsSync(DRIVERS) && readdirSync(DRIVERS).some((name) => name.startsWith('lvp_icd'));
  if (process.platform !== 'linux' || has) return;
  await installOnDebian('a software Vulkan driver for the tests of graphics cards', [
    'mesa-vulkan-drivers',
    'libvulkan1',
  ]);
}
