import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Pull, PullAnswer } from '../../../../src/api/management/library.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { watchEvents } from '../../../helpers/daemon/watch-events.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { startHub } from '../../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

/** Size of the first range, which is enough for the header. */
const HEADER_BYTES = 65_536;
const HELD_BYTES = 40_000;
const WAIT = { timeout: 40_000, interval: 20 };

/** A download that stalls after some bytes, and another model that is small. */
async function heldPull() {
  const hub = await startHub();
  const cache = temporaryFolder();
  const content = readFileSync((await scriptedModel('From the hub.')).path);
  hub.add('someone/tiny-GGUF', { 'tiny-Q4_K_M.gguf': content });
  hub.add('someone/other-GGUF', { 'other-Q4_K_M.gguf': Buffer.concat([content, Buffer.alloc(64)]) });
  hub.holdAfter(Math.min(HEADER_BYTES, content.length) + HELD_BYTES);
  const daemon = await startDaemon({
    ...hub.environment(cache),
    ASKD_DOWNLOAD_PART_BYTES: '16384',
    ASKD_DOWNLOAD_CONNECTIONS: '1',
  });
  const pull = async (model: string) =>
    (await daemon.call('POST', '/api/daemon/pulls', { body: { model } })).json<PullAnswer>();
  const get = async (id: string) => (await daemon.call('GET', `/api/daemon/pulls/${id}`)).json<Pull>();
  const change = (id: string, what: 'pause' | 'resume') =>
    daemon.call('POST', `/api/daemon/pulls/${id}/${what}`);
  const until = (id: string, state: Pull['state']) =>
    expect.poll(async () => (await get(id)).state, WAIT).toBe(state);
  const { pull: first } = await pull('hf:someone/tiny-GGUF');
  if (!first) throw new Error('The download did not start');
  await expect.poll(async () => (await get(first.id)).bytes_received, WAIT).toBeGreaterThan(16_384);
  const blobs = join(cache, 'models--someone--tiny-GGUF', 'blobs');
  return { hub, daemon, content, first, blobs, pull, get, change, until };
}

test('a paused download keeps its bytes, lets the next one go first, and is resumed where it stopped', async () => {
  const { hub, content, first, pull, get, change, until } = await heldPull();
  const paused = (await change(first.id, 'pause')).json<Pull>();
  expect(paused).toMatchObject({ state: 'paused', error: null, bytes_per_second: null, eta_seconds: null });
  expect(paused.bytes_received).toBeGreaterThan(16_384);
  expect(paused.bytes_received).toBeLessThan(content.length);
  expect((await change(first.id, 'pause')).json<Pull>()).toEqual(paused);

  hub.holdAfter(Infinity);
  const { pull: other } = await pull('hf:someone/other-GGUF');
  await until(other?.id ?? '', 'done');
  expect(await get(first.id)).toEqual(paused);

  const before = hub.served.length;
  expect((await change(first.id, 'resume')).json<Pull>().state).toMatch(/queued|downloading/);
  await until(first.id, 'done');
  const sent = hub.served.slice(before).reduce((sum, { start, end }) => sum + end - start, 0);
  expect(sent).toBe(content.length - paused.bytes_received);
  expect(await get(first.id)).toMatchObject({
    bytes_received: content.length,
    bytes_verified: content.length,
  });
});

test('pulling a paused model again resumes it', async () => {
  const { hub, first, pull, change, until } = await heldPull();
  await change(first.id, 'pause');
  hub.holdAfter(Infinity);
  const again = await pull('hf:someone/tiny-GGUF');
  expect(again.pull).toMatchObject({ id: first.id, state: expect.stringMatching(/queued|downloading/) });
  await until(first.id, 'done');
});

test('a queued download can be paused before it begins, and does not begin then', async () => {
  const { hub, first, pull, change, get, until } = await heldPull();
  const { pull: second } = await pull('hf:someone/other-GGUF');
  const id = second?.id ?? '';
  expect(second?.state).toBe('queued');
  expect((await change(id, 'pause')).json()).toMatchObject({ state: 'paused', bytes_received: 0 });
  hub.holdAfter(Infinity);
  await until(first.id, 'done');
  expect((await get(id)).state).toBe('paused');
  await change(id, 'resume');
  await until(id, 'done');
});

test('a paused download is cancelled like any other, and leaves nothing', async () => {
  const { daemon, first, blobs, change } = await heldPull();
  await change(first.id, 'pause');
  expect(readdirSync(blobs)).not.toEqual([]);
  const cancelled = await daemon.call('DELETE', `/api/daemon/pulls/${first.id}`);
  expect(cancelled.json()).toMatchObject({ state: 'cancelled', bytes_received: 0 });
  await expect.poll(() => !existsSync(blobs) || readdirSync(blobs).length === 0, WAIT).toBe(true);
});

test('a watcher of a download sees that it was paused, and so does the event stream', async () => {
  const { daemon, first, change } = await heldPull();
  const watching = daemon.call('GET', `/api/daemon/pulls/${first.id}/events`);
  await change(first.id, 'pause');
  const { text } = await watching;
  const states = Array.from(text.matchAll(/"state":"(\w+)"/g), ([, state]) => state);
  expect(states.at(-1)).toBe('paused');
  const stream = await watchEvents(daemon, '?topics=status');
  const { event } = await stream.until((all) => all[0]);
  expect(event).toMatchObject({ pulls: [{ id: first.id, state: 'paused' }] });
});

test('a finished download can be neither paused nor resumed, and the answer says how to pull it again', async () => {
  const { hub, daemon, first, change, until } = await heldPull();
  hub.holdAfter(Infinity);
  await until(first.id, 'done');
  for (const what of ['pause', 'resume'] as const) {
    const reply = await change(first.id, what);
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', fix: 'askd pull hf:someone/tiny-GGUF' } },
    ]);
    expect((await daemon.call('POST', `/api/daemon/pulls/dl_none/${what}`)).status).toBe(404);
    expect(
      (await daemon.call('POST', `/api/daemon/pulls/${first.id}/${what}`, { token: daemon.key })).status,
    ).toBe(403);
  }
});
