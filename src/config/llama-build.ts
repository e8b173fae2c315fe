import { existsSync, readFileSync } from 'node:fs';
import { arch, cpus } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../base/paths.ts';

/** The llama engine compiled on this machine; a build in the folder has passed its check. */
export type LlamaBuild = {
  folder: string;
  /** Version of the package whose sources it was built from. */
  version: string;
  /** It uses instructions of this processor and crashes on one without them. */
  processor: string;
  gpu: LlamaBuildGpu;
  openmp: boolean;
  builtAt: string;
};

export const LLAMA_BUILD_GPUS = ['none', 'cuda', 'vulkan', 'metal'] as const;
export type LlamaBuildGpu = (typeof LLAMA_BUILD_GPUS)[number];

export const LLAMA_BUILD = 'llama-build';
/** Written last, so a folder that has it is complete. */
export const LLAMA_BUILD_FACTS = 'build.json';
export const LLAMA_ADDON = 'llama-addon.node';

export function llamaVersion(): string {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return dependencies['node-llama-cpp'] ?? '';
}

/** Relative to a home's folder of engines. */
export function llamaBuildFolder(engines: string): string {
  return join(engines, LLAMA_BUILD, llamaVersion());
}

/** Undefined unless a build for exactly this engine and this processor exists. */
export function findLlamaBuild(engines: string): LlamaBuild | undefined {
  const folder = llamaBuildFolder(engines);
  const facts = join(folder, LLAMA_BUILD_FACTS);
  if (!existsSync(facts) || !existsSync(join(folder, LLAMA_ADDON))) return undefined;
  const build = JSON.parse(readFileSync(facts, 'utf8')) as Omit<LlamaBuild, 'folder'>;
  if (build.version !== llamaVersion() || build.processor !== thisProcessor()) return undefined;
  return { ...build, folder };
}

/** The name alone does not tell which features a virtual machine passes through. */
export function thisProcessor(): string {
  return [process.platform, arch(), cpus()[0]?.model.trim() ?? '', ...processorFlags()].join(' ');
}

export function processorFlags(): string[] {
  if (process.platform !== 'linux') return [];
  const [, flags = ''] = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
  return flags.split(' ').filter((flag) => /^(avx|amx|fma|f16c|bmi|sse4|asimd|sve|sme|i8mm|bf16)/.test(flag));
}
