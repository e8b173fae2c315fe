import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountBatch, BatchFailure } from '../../../../../src/api/management/batches.ts';
import type { RecordedEvent } from '../../../../../src/api/management/events.ts';
import { createBatch, linesOf, overOf, requests, toBatchLines } from '../../../../helpers/daemon/batches.ts';
import { eventually, openDaemonWith } from '../../../../helpers/daemon/chat.ts';
import { watchEvents, type Received } from '../../../../helpers/daemon/watch-events.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

/** A question that is never answered keeps its batch open. */
const SCRIPT = {
  rules: [
    { when: { contains: 'later' }, answer: { error: { code: 'queue_full' } } },
    { when: { contains: 'wrong' }, answer: { error: { code: 'context_length_exceeded' } } },
    { answer: { text: 'Done.' } },
  ],
};

async function open() {
  const script = join(temporaryFolder(), 'answers.json');
  writeFileSync(script, JSON.stringify(SCRIPT));
  const daemon = await openDaemonWith({}, { ASKD_SCRIPTED_ANSWERS: script });
  onTestFinished(daemon.close);
  const ask = (...contents: string[]) =>
    createBatch(
      daemon.sdk,
      linesOf(
        requests(
          '/v1/chat/completions',
          contents.map((content) => ({ model: 'scripted', messages: [{ role: 'user', content }] })),
        ),
      ),
    );
  const list = async () => (await daemon.call('GET', '/api/batches')).json<{ data: AccountBatch[] }>().data;
  const failures = async (id: string) =>
    (await daemon.call('GET', `/api/batches/${id}/failures`)).json<{ data: BatchFailure[] }>().data;
  return { daemon, ask, list, failures };
}

const FAILED = {
  custom_id: 'line-2',
  status: 400,
  code: 'context_length_exceeded',
  message: 'A scripted error.',
};

test(
  'the owner sees and cancels the batches of every key, with what failed so far',
  { timeout: 120_000 },
  async () => {
    const { daemon, ask, list, failures } = await open();
    const { id } = await ask('now', 'wrong', 'later');
    const counts = async () => (await list())[0]?.request_counts;
    await eventually(counts).toEqual({ total: 3, completed: 1, failed: 1 });
    expect(await list()).toMatchObject([{ id, key_id: expect.stringMatching(/^key_/) as string }]);
    expect(await failures(id)).toEqual([FAILED]);
    const early = await daemon.call('GET', `/api/batches/${id}/results`);
    expect(early.status).toBe(404);

    expect((await daemon.call('POST', `/api/batches/${id}/cancel`)).json()).toMatchObject({ id });
    await overOf(daemon.sdk, id);
    expect(await failures(id)).toEqual([FAILED]);
    const answers = await daemon.call('GET', `/api/batches/${id}/results`);
    expect(answers.headers['content-disposition']).toBe(`attachment; filename="${id}_output.jsonl"`);
    expect(toBatchLines(answers.text)).toMatchObject([{ custom_id: 'line-1' }]);
    const errors = await daemon.call('GET', `/api/batches/${id}/results?part=errors`);
    expect(toBatchLines(errors.text)).toMatchObject([{ custom_id: 'line-2' }]);
  },
);

test('a key without the scope admin does not see those of others', async () => {
  const { daemon, ask } = await open();
  const { id } = await ask('now');
  for (const path of ['/api/batches', `/api/batches/${id}/results`, `/api/batches/${id}/failures`])
    expect((await daemon.call('GET', path, { token: daemon.key })).status).toBe(403);
});

test('the stream of events follows a batch to its end', { timeout: 120_000 }, async () => {
  const { daemon, ask } = await open();
  const stream = await watchEvents(daemon, '?topics=batch');
  const { id } = await ask('now', 'wrong', 'now');
  const ended = await stream.until((all) => eventsOf(all).find(({ type }) => type === 'batch.completed'));
  expect(ended.data).toMatchObject({ id, request_counts: { total: 3, completed: 2, failed: 1 } });
  const last = await stream.until((all) =>
    eventsOf(all).find(({ type, data }) => type === 'batch.progress' && data['status'] === 'completed'),
  );
  const [batch] = (await daemon.sdk.batches.list()).data;
  expect(last.data).toEqual({
    ...{ id, endpoint: '/v1/chat/completions', model: 'scripted', status: 'completed', waiting: null },
    request_counts: { total: 3, completed: 2, failed: 1 },
    cost: (batch as unknown as { cost: number }).cost,
  });
  const kinds = new Set(stream.received.map(({ event }) => event.topic));
  expect([...kinds]).toEqual(['batch']);
});

const eventsOf = (all: readonly Received[]) => all.map(({ event }) => event as RecordedEvent);
