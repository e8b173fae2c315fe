import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Llama, type LlamaLogLevel } from 'node-llama-cpp';
import { LLAMA_ADDON } from '../../../../src/config/llama-build.ts';

export type Logging = { logLevel: LlamaLogLevel; logger: (level: LlamaLogLevel, message: string) => void };

/**
 * The function with which node-llama-cpp wraps a build. It is not in its types, and its public API only finds builds
 * inside its package.
 */
type Inside = { _create(options: object): Promise<Llama> };

/** node-llama-cpp's own default: room on the card for the display. */
const CARD_SHARE = 0.08;
const CARD_BYTES_MAX = 1.6 * 1024 ** 3;
const MEMORY_SHARE = 0.25;
const MEMORY_BYTES_MAX = 1024 ** 3;

/**
 * The CPU-only build that ships with node-llama-cpp. The library itself first starts a process to see whether the
 * build crashes, which takes half a second; a runner is already such a process.
 */
export function prebuiltFolder(): string | undefined {
  const name = `${process.platform}-${process.arch}`;
  try {
    const beside = createRequire(createRequire(import.meta.url).resolve('node-llama-cpp'));
    const folder = join(dirname(beside.resolve(`@node-llama-cpp/${name}`)), '..', 'bins', name);
    return existsSync(join(folder, LLAMA_ADDON)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

export function loadBuild(folder: string, logging: Logging): Promise<Llama> {
  const bindingPath = join(folder, LLAMA_ADDON);
  return (Llama as unknown as Inside)._create({
    ...logging,
    bindings: createRequire(import.meta.url)(bindingPath) as object,
    bindingPath,
    buildType: 'localBuild',
    // The build itself says which cards it supports.
    buildMetadata: {
      buildOptions: { customCmakeOptions: {}, llamaCpp: { repo: '', release: '' }, gpu: false },
    },
    vramPadding: (total: number) => Math.floor(Math.min(total * CARD_SHARE, CARD_BYTES_MAX)),
    ramPadding: (total: number) => Math.floor(Math.min(total * MEMORY_SHARE, MEMORY_BYTES_MAX)),
    debug: false,
    tempDir: false,
  });
}
