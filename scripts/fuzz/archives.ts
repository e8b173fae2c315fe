import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { toFailure } from '../../src/base/errors.ts';
import { installPackages } from '../../src/library/engines/installation.ts';
import { thisPlatform, type OptionalEngine } from '../../src/library/engines/optional-engines.ts';
import type { Format, Send, World } from './format.ts';
import { mutateTar } from './mutate-formats.ts';

/**
 * The packages of engines are pinned by their hash, so a changed one would never even be unpacked. Here each has the
 * hash of its changed content.
 */
export const ARCHIVES: readonly Format[] = [{ name: 'tar', seeds, mutate: mutateTar, open }];

async function seeds(): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'askd-seeds-'));
  try {
    const manifest = JSON.stringify({ name: 'eye', version: '1.0.0', bin: { run: 'bin/run' } });
    await mkdir(join(folder, 'package', 'bin'), { recursive: true });
    await writeFile(join(folder, 'package', 'package.json'), manifest);
    await writeFile(join(folder, 'package', 'bin', 'run'), '#!/bin/sh\necho it runs');
    await writeFile(join(folder, 'package', `${'long-'.repeat(30)}name.js`), 'exports.word = "cat";');
    await create({ gzip: true, cwd: folder, file: join(folder, 'a.tgz') }, ['package']);
    return [await readFile(join(folder, 'a.tgz'))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Throws if it refuses the file. */
export async function installArchive(folder: string): Promise<(file: Buffer) => Promise<void>> {
  let archive = Buffer.alloc(0);
  const server = createServer((_, response) => void response.end(archive)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port } = server.address() as AddressInfo;
  return async (file) => {
    archive = Buffer.from(file);
    try {
      await install(join(folder, 'engines'), `http://127.0.0.1:${port}`, file);
    } finally {
      await rm(join(folder, 'engines'), { recursive: true, force: true });
    }
  };
}

async function open({ folder }: World): Promise<Send> {
  const unpack = await installArchive(folder);
  return async (file) => {
    const startedAt = performance.now();
    const reply = await unpack(file).then(
      () => ({ status: 200, code: '', text: '' }),
      (error: unknown) => {
        const { code, message, kind } = toFailure(error);
        return { status: kind.status, code, text: message };
      },
    );
    return { ...reply, ms: performance.now() - startedAt };
  };
}

const NO_PROXY = { httpProxy: '', httpsProxy: '', noProxy: '' };

async function install(folder: string, address: string, archive: Buffer): Promise<void> {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const pinned = { name: 'eye', version: '1.0.0', platform: thisPlatform, gpu: 'any' as const, integrity };
  const packages = [{ ...pinned, bytes: archive.length }];
  const engine: OptionalEngine = { name: 'vision', purpose: 'seeing', main: 'eye', packages };
  const registry = { address, proxy: NO_PROXY, stallMs: 10_000, retryMs: 1 };
  const { signal } = new AbortController();
  await installPackages({ engine, folder, registry, signal, onProgress: () => undefined });
}
