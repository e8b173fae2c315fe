import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBackend } from '../../../models/engines/llama/loading/backend.ts';
import { patchAddon } from '../../../models/llama-build/addon-patch.ts';
import { amxFlags } from '../../../models/llama-build/amx.ts';
import { checkBuild } from '../../../models/llama-build/check.ts';
import { compileEngine, gatherLibraries } from '../../../models/llama-build/compile.ts';
import { packagedSources, prepareSources } from '../../../models/llama-build/source.ts';
import { chooseGpu } from '../../../models/llama-build/toolkits.ts';
import { requireTools } from '../../../models/llama-build/tools.ts';
import { createEngines } from '../../../src/library/engines/engines.ts';
import {
  findLlamaBuild,
  LLAMA_ADDON,
  LLAMA_BUILD_FACTS,
  llamaBuildFolder,
  llamaVersion,
  thisProcessor,
} from '../../../src/config/llama-build.ts';
import { never } from '../chats.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'askd-llama-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Nothing else can be found by its name. */
function onlyPrograms(programs: Record<string, string>): void {
  const folder = temporaryFolder();
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
}

const compiling = (folder: string, onPercent: (percent: number) => void = () => {}) => ({
  ...{ source: join(folder, 'source'), objects: join(folder, 'objects'), gpu: 'none' as const, jobs: 3 },
  ...{ onPercent, signal: never() },
});

function placeBuild(engines: string, facts: object = {}): string {
  const folder = llamaBuildFolder(engines);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, LLAMA_ADDON), 'no module at all');
  const known = {
    version: llamaVersion(),
    processor: thisProcessor(),
    gpu: 'none',
    openmp: true,
    builtAt: '',
  };
  writeFileSync(join(folder, LLAMA_BUILD_FACTS), JSON.stringify({ ...known, ...facts }));
  return folder;
}

describe('the tools', () => {
  test('that are missing are named at once, with the command that installs them', async () => {
    onlyPrograms({ git: 'echo git 2', 'apt-get': 'echo apt 2' });
    await expect(requireTools()).rejects.toMatchObject({
      code: 'engine_not_installed',
      message:
        'Compiling the engine requires cmake, a C++ compiler, make. ' +
        'Install with: sudo apt-get install cmake g++ make',
    });
  });

  test('are complete with any of the compilers', async () => {
    const says = 'echo 1';
    onlyPrograms({ git: says, cmake: says, make: says, 'clang++': says });
    await expect(requireTools()).resolves.toBeUndefined();
  });

  test('of a requested card that is not there are reported as missing', async () => {
    onlyPrograms({});
    if (existsSync('/dev/nvidiactl')) return;
    await expect(chooseGpu('cuda')).rejects.toMatchObject({ code: 'engine_not_installed' });
    expect(await chooseGpu('none')).toBe('none');
  });
});

describe('the patch of the sources', () => {
  function copyOfAddon(): { folder: string; file: string } {
    const folder = temporaryFolder();
    cpSync(join(packagedSources(), 'addon'), join(folder, 'addon'), { recursive: true });
    return { folder, file: join(folder, 'addon', 'AddonContext.cpp') };
  }

  test('applies to the pinned version, and lets the addon return the vector of any sequence', () => {
    const { folder, file } = copyOfAddon();
    patchAddon(folder);
    expect(readFileSync(file, 'utf8')).toContain('llama_get_embeddings_seq(ctx, sequenceId)');
  });

  test('applies to sources that an earlier askd has left, and leaves its own as they are', async () => {
    const { folder, file } = copyOfAddon();
    await prepareSources(folder, new AbortController().signal);
    const patched = readFileSync(file, 'utf8');
    expect(patched).toContain('llama_get_embeddings_seq(ctx, sequenceId)');
    const long = new Date(0);
    utimesSync(file, long, long);
    await prepareSources(folder, new AbortController().signal);
    expect(readFileSync(file, 'utf8')).toBe(patched);
    expect(statSync(file).mtime).toEqual(long);
  });

  test('fails if a line that it changes is not there, and changes nothing', () => {
    const { folder, file } = copyOfAddon();
    const changed = readFileSync(file, 'utf8').replace('llama_get_embeddings_seq(ctx, 0)', 'embeddings(0)');
    writeFileSync(file, changed);
    expect(() => patchAddon(folder)).toThrow(
      /AddonContext\.cpp of node-llama-cpp .*llama_get_embeddings_seq/,
    );
    expect(readFileSync(file, 'utf8')).toBe(changed);
  });
});

describe('compiling', () => {
  test('reports its progress, and whether there is OpenMP, also when it continues', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'objects'));
    onlyPrograms({
      // It records what it has found, and reports it only the first time.
      cmake: `case "$1" in -S) echo 'OpenMP_CXX_FLAGS:STRING=-fopenmp' > "$4/CMakeCache.txt";; *) echo "[ 50%] Building"; echo "[100%] Linking";; esac`,
    });
    const percents: number[] = [];
    const result = await compileEngine(compiling(folder, (percent) => percents.push(percent)));
    expect(result).toEqual({ openmp: true });
    expect(percents).toEqual([50, 100]);
  });

  test('without OpenMP says so', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'objects'));
    onlyPrograms({
      cmake: `[ "$1" != -S ] || echo 'OpenMP_CXX_FLAGS:STRING=NOTFOUND' > "$4/CMakeCache.txt"`,
    });
    expect(await compileEngine(compiling(folder))).toEqual({ openmp: false });
  });

  const isX64 = process.arch === 'x64' && process.platform === 'linux';
  test.runIf(isX64)('writes the configuration of the tiles before the processor reads it', async () => {
    const folder = temporaryFolder();
    const source = join(folder, 'tiles.cpp');
    writeFileSync(
      source,
      `#include <immintrin.h>
      void begin() { alignas(64) unsigned char tiles[64] = {}; tiles[0] = 1; tiles[48] = 77; _tile_loadconfig(tiles); }`,
    );
    const [include = '', header = ''] = amxFlags(folder).split(' ');
    const args = ['-O3', '-mamx-tile', include, header.replaceAll('"', ''), '-S', source, '-o', '-'];
    const { stdout } = await promisify(execFile)('c++', args);
    expect(stdout).toMatch(/\b77\b[^]*ldtilecfg/);
  });

  test("that fails shows the compiler's last output", async () => {
    onlyPrograms({ cmake: 'echo "fatal error: no such header" >&2; exit 2' });
    await expect(compileEngine(compiling(temporaryFolder()))).rejects.toMatchObject({
      message: expect.stringContaining('fatal error: no such header') as string,
    });
  });

  test('leaves the module and its libraries together', () => {
    const folder = temporaryFolder();
    for (const [place, name] of [
      ['Release', LLAMA_ADDON],
      ['bin', 'libllama.askd.so'],
      ['bin', 'notes.txt'],
    ] as const) {
      mkdirSync(join(folder, place), { recursive: true });
      writeFileSync(join(folder, place, name), '');
    }
    const target = join(folder, 'target');
    gatherLibraries(folder, target);
    expect(existsSync(join(target, LLAMA_ADDON))).toBe(true);
    expect(existsSync(join(target, 'libllama.askd.so'))).toBe(true);
    expect(existsSync(join(target, 'notes.txt'))).toBe(false);
  });
});

describe('a build', () => {
  const engines = (folder: string) =>
    createEngines({
      ...{ folder, repositoryModules: join(folder, 'none'), isOffline: true, table: [] },
      registry: {
        address: 'http://127.0.0.1:9',
        proxy: { httpProxy: '', httpsProxy: '', noProxy: '' },
        stallMs: 1,
        retryMs: 1,
      },
    });

  test('serves the models of its engine, is listed, and is gone once it is removed', async () => {
    const home = temporaryFolder();
    expect(engines(home).modulesOf('llama')).toBeUndefined();
    const folder = placeBuild(home);
    expect(engines(home).modulesOf('llama')).toBe(folder);
    expect(engines(home).build()).toMatchObject({ name: 'llama-build', state: 'installed', path: folder });
    expect(await engines(home).remove('llama-build')).toMatchObject({ state: 'not_installed' });
    expect(engines(home).modulesOf('llama')).toBeUndefined();
  });

  test.each([
    ['of another version', { version: '0.0.1' }],
    ['for another processor', { processor: 'another' }],
  ])('%s is not used', (_which, facts) => {
    const home = temporaryFolder();
    placeBuild(home, facts);
    expect(findLlamaBuild(home)).toBeUndefined();
  });

  test('cannot be installed', async () => {
    const options = { signal: never(), onProgress: () => {} };
    await expect(engines(temporaryFolder()).install('llama-build', options)).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('askd engines build') as string,
    });
  });

  test('that does not load is not used', { timeout: 60_000 }, async () => {
    await expect(checkBuild(placeBuild(temporaryFolder()), never())).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('the prebuilt one stays in use') as string,
    });
  });

  test('that no longer loads is replaced by the prebuilt one', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const backend = await openBackend({ folder: placeBuild(temporaryFolder()) });
    expect(backend.build).toBe('prebuilt');
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('using the prebuilt one'));
  });
});
