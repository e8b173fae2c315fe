import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LLAMA_ADDON, type LlamaBuildGpu } from '../../src/config/llama-build.ts';
import { amxFlags } from './amx.ts';
import { runCommand } from './commands.ts';
import { headerFolders } from './source.ts';

export type Compiling = {
  source: string;
  objects: string;
  gpu: LlamaBuildGpu;
  jobs: number;
  onPercent: (percent: number) => void;
  signal: AbortSignal;
};

const TARGET = 'llama-addon';
const PERCENT = /^\[\s*(\d+)%\]/;

/** Reuses the objects of an earlier attempt. True if the compiler supports OpenMP. */
export async function compileEngine(compiling: Compiling): Promise<{ openmp: boolean }> {
  const { source, objects, jobs, onPercent, signal } = compiling;
  mkdirSync(objects, { recursive: true });
  await runCommand('cmake', ['-S', source, '-B', objects, ...definitions(compiling)], { signal });
  await runCommand(
    'cmake',
    ['--build', objects, '--target', TARGET, '--config', 'Release', '--parallel', String(jobs)],
    {
      signal,
      onLine(line) {
        const percent = PERCENT.exec(line)?.[1];
        if (percent !== undefined) onPercent(Number(percent));
      },
    },
  );
  return { openmp: hasOpenmp(objects) };
}

/** From cmake's cache: it is printed only the first time. */
function hasOpenmp(objects: string): boolean {
  const cache = join(objects, 'CMakeCache.txt');
  return existsSync(cache) && /^OpenMP_CXX_FLAGS:STRING=(?!NOTFOUND)./m.test(readFileSync(cache, 'utf8'));
}

function definitions({ objects, gpu }: Compiling): string[] {
  const { headers, wrappers } = headerFolders();
  const target = `${process.platform === 'darwin' ? 'mac' : process.platform}-${process.arch}`;
  const options: Record<string, string> = {
    CMAKE_CXX_FLAGS: amxFlags(objects),
    CMAKE_BUILD_TYPE: 'Release',
    CMAKE_LIBRARY_OUTPUT_DIRECTORY: join(objects, 'Release'),
    CMAKE_JS_INC: `${headers};${wrappers}`,
    CMAKE_JS_SRC: '',
    CMAKE_JS_LIB: '',
    NLC_CURRENT_PLATFORM: target,
    NLC_TARGET_PLATFORM: target,
    // A name of its own, so that its libraries are never mistaken for the prebuilt ones.
    NLC_VARIANT: 'askd',
    GGML_BUILD_NUMBER: '1',
    GGML_NATIVE: 'ON',
    GGML_OPENMP: 'ON',
    GGML_CCACHE: 'OFF',
    GGML_METAL: gpu === 'metal' ? 'ON' : 'OFF',
    GGML_CUDA: gpu === 'cuda' ? 'ON' : 'OFF',
    GGML_VULKAN: gpu === 'vulkan' ? 'ON' : 'OFF',
    LLAMA_CURL: 'OFF',
    LLAMA_HTTPLIB: 'OFF',
    LLAMA_BUILD_BORINGSSL: 'OFF',
    LLAMA_OPENSSL: 'OFF',
    // Node itself provides the functions that a module calls.
    ...(process.platform === 'darwin' && { CMAKE_SHARED_LINKER_FLAGS: '-undefined dynamic_lookup' }),
  };
  return Object.entries(options).map(([name, value]) => `-D${name}=${value}`);
}

/** Collects the module and its libraries from where the parts of the build leave them. */
export function gatherLibraries(objects: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const folder of ['Release', 'bin', join('llama.cpp', 'bin')]) {
    const from = join(objects, folder);
    if (!existsSync(from)) continue;
    for (const name of readdirSync(from)) {
      if (/\.(node|so|dylib|metal)$|\.so\./.test(name) || name === LLAMA_ADDON) {
        cpSync(join(from, name), join(target, name), { dereference: false, verbatimSymlinks: true });
      }
    }
  }
}
