import { once } from 'node:events';
import { getPriority } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { builtFile } from '../../../src/base/paths.ts';

const WORK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { getPriority } = require('node:os');
  const { readlinkSync } = require('node:fs');
  import(workerData).then(({ lowerThreadPriority }) => {
    lowerThreadPriority();
    parentPort.postMessage(getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))));
  });`;

test.runIf(process.platform === 'linux')(
  'a thread with background priority yields to the others of its process',
  async () => {
    const before = getPriority();
    const module = pathToFileURL(builtFile('src/base/background-priority.js')).href;
    const worker = new Worker(WORK, { eval: true, workerData: module });
    const [priority] = (await once(worker, 'message')) as [number];
    expect(priority).toBe(Math.min(19, before + 5));
    expect(getPriority()).toBe(before);
    await worker.terminate();
  },
);
