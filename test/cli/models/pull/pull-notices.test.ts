import { expect, test } from 'vitest';
import { createPullNotices } from '../../../../cli/models/pull/pull-notices.ts';
import type { Pull } from '../../../../src/api/management/library.ts';

const pull = (change: Partial<Pull> = {}): Pull => ({
  id: 'pull_1',
  model: 'svc-chat-v1',
  artifact: 'talker',
  name: 'Talker 1B',
  licence: 'MIT',
  service: 'svc-chat-v1',
  reason: null,
  state: 'downloading',
  bytes_total: 2e9,
  bytes_received: 1e9,
  bytes_verified: 0,
  bytes_per_second: 5e6,
  eta_seconds: 200,
  waiting: null,
  files: [],
  error: null,
  created_at: '2026-11-25T00:00:00Z',
  ...change,
});

/** The notices of a chat while the downloads of its server change. */
function chat(model = 'svc-chat-v1') {
  let pulls: Pull[] = [];
  const notices = createPullNotices({ pulls: () => Promise.resolve({ pulls }) });
  return async (now: Pull[]) => {
    pulls = now;
    return notices.next(model);
  };
}

test('a download is shown before a prompt whenever it has progressed', async () => {
  const say = chat();
  const half = ['Downloading Talker 1B: 50% of 2.0 GB, 5.0 MB/s, 3m 20s left'];
  expect(await say([pull()])).toEqual(half);
  expect(await say([pull()])).toEqual([]);
  expect(await say([pull({ bytes_received: 1.5e9 })])).toEqual([expect.stringContaining('75%')]);
});

test('its end is reported once, with which model answers now', async () => {
  const say = chat();
  await say([pull()]);
  const done = pull({ state: 'done' });
  expect(await say([done])).toEqual(['Talker 1B is ready and answers from now on.']);
  expect(await say([done])).toEqual([]);
});

test('a chat with another model is told how to switch, and what other services now use', async () => {
  const say = chat('my-model');
  await say([]);
  expect(
    await say([pull({ state: 'done' }), pull({ id: '2', state: 'done', service: 'svc-embed-v1' })]),
  ).toEqual([
    'Talker 1B is ready. To use it: /model svc-chat-v1',
    'Talker 1B is ready: it serves svc-embed-v1.',
  ]);
});

test('a failure says why and how to try again', async () => {
  const say = chat();
  await say([pull()]);
  expect(
    await say([pull({ state: 'failed', error: { code: 'disk_full', message: 'The disk is full.' } })]),
  ).toEqual(['The download of Talker 1B failed: The disk is full. To try again: askd pull svc-chat-v1']);
});

test('a download that ended before the chat began is not reported', async () => {
  expect(await chat()([pull({ state: 'done' })])).toEqual([]);
});

test('a server that does not show downloads is asked once', async () => {
  let asked = 0;
  const refuse = () => Promise.reject(new Error(`refused ${++asked}`));
  const notices = createPullNotices({ pulls: refuse });
  for (let prompt = 1; prompt <= 3; prompt += 1) expect(await notices.next('svc-chat-v1')).toEqual([]);
  expect(asked).toBe(1);
});
