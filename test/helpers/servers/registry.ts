import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { onTestFinished } from 'vitest';
import type { PinnedPackage } from '../../../src/library/engines/packages.ts';
import { thisPlatform, type OptionalEngine } from '../../../src/library/engines/optional-engines.ts';
import { temporaryFolder } from '../temporary.ts';

const VERSION = '1.2.3';

type Fault = 'missing' | 'cut' | 'wrong' | 'busy' | 'silent';

export type Registry = Awaited<ReturnType<typeof startRegistry>>;

/** An npm registry with packages made up for the test, and the faults of real ones. */
export async function startRegistry() {
  const archives = new Map<string, Buffer>();
  const faults: { path: string; fault: Fault }[] = [];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const at = faults.findIndex((each) => path.includes(each.path));
    const [found] = at < 0 ? [] : faults.splice(at, 1);
    answer(response, archives.get(path), found?.fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Publishes a package with these files and returns its metadata. */
  async function publish(
    name: string,
    files: Record<string, string>,
    limits: Partial<PinnedPackage> = {},
  ): Promise<PinnedPackage> {
    const manifest = JSON.stringify({ name, version: VERSION, bin: { run: 'bin/run' } });
    return { ...publishArchive(name, await pack({ 'package.json': manifest, ...files })), ...limits };
  }

  function publishArchive(name: string, file: string): PinnedPackage {
    const archive = readFileSync(file);
    archives.set(`/${name}/-/${name.replace(/^.*\//, '')}-${VERSION}.tgz`, archive);
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    return { name, version: VERSION, platform: 'any', gpu: 'any', bytes: archive.length, integrity };
  }

  /** An engine of three packages, one of them for this platform and one for a card. */
  async function publishEngine(): Promise<OptionalEngine> {
    const packages = [
      await publish('@maker/eye', { 'lib/index.js': 'exports.sees = () => require("helper").word;' }),
      await publish(
        'helper',
        { 'index.js': 'exports.word = "a cat";', 'bin/run': '#!/bin/sh\necho it runs' },
        { platform: thisPlatform },
      ),
      await publish('helper-cuda', { 'index.js': '' }, { platform: thisPlatform, gpu: 'cuda' }),
    ];
    return { name: 'vision', purpose: 'seeing', main: '@maker/eye', packages };
  }

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    publishArchive,
    publishEngine,
    fail: (path: string, fault: Fault, times = 1) =>
      void faults.push(...Array.from({ length: times }, () => ({ path, fault }))),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function answer(response: ServerResponse, archive: Buffer | undefined, fault: Fault | undefined): void {
  if (fault === 'silent') return;
  if (fault === 'busy') return void response.writeHead(503).end();
  if (archive === undefined || fault === 'missing') return void response.writeHead(404).end('{}');
  response.writeHead(200, { 'content-length': archive.length });
  if (fault === 'cut') {
    return void response.write(archive.subarray(0, archive.length / 2), () => response.destroy());
  }
  const sent = Buffer.from(archive);
  if (fault === 'wrong') sent[sent.length - 20] = (sent[sent.length - 20] ?? 0) ^ 0xff;
  response.end(sent);
}

async function pack(files: Record<string, string>): Promise<string> {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, 'package', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const file = join(folder, 'archive.tgz');
  await create({ gzip: true, cwd: folder, file }, ['package']);
  return file;
}
