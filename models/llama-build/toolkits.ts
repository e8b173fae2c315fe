import { existsSync } from 'node:fs';
import { Failure } from '../../src/base/errors.ts';
import type { LlamaBuildGpu } from '../../src/config/llama-build.ts';
import { versionOf } from './commands.ts';

/** The requirements of a kind of graphics card: the card itself, and the toolkit for its code. */
const NEEDS = {
  cuda: {
    hasCard: () => existsSync('/dev/nvidiactl') || existsSync('/dev/dxg'),
    tools: ['nvcc'],
    fix: 'the CUDA toolkit of NVIDIA: https://developer.nvidia.com/cuda-downloads',
  },
  vulkan: {
    hasCard: () => existsSync('/dev/dri'),
    tools: ['glslc'],
    fix: 'the Vulkan SDK (on Debian and Ubuntu: sudo apt-get install libvulkan-dev glslc)',
  },
  metal: { hasCard: () => process.platform === 'darwin', tools: [], fix: 'a Mac' },
} as const;

/** The card that is present together with its toolkit; one that was requested by name must be possible. */
export async function chooseGpu(options: LlamaBuildGpu | undefined): Promise<LlamaBuildGpu> {
  if (options === 'none') return options;
  for (const kind of ['metal', 'cuda', 'vulkan'] as const) {
    if (options !== undefined && options !== kind) continue;
    const { hasCard, tools, fix } = NEEDS[kind];
    const found = await Promise.all(tools.map(versionOf));
    if (hasCard() && found.every((version) => version !== undefined)) return kind;
    if (options === undefined) continue;
    const lacks = hasCard() ? `it lacks ${tools.join(', ')}. Install ${fix}` : 'it has no such graphics card';
    throw new Failure('engine_not_installed', `This machine cannot compile for ${kind}: ${lacks}.`);
  }
  return 'none';
}
