import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { TOOL_TEMPLATES } from '../../../helpers/models/tool-models.ts';

/** The first request of a coding agent, as it was sent; long texts and all names are replaced. */
type Recorded = { path: string; headers: Record<string, string>; body: { model: string } };

const read = (client: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../fixtures/clients/${client}.json`, import.meta.url), 'utf8'),
  ) as Recorded;

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith(
    { m: await scriptedModel('Any answer.', { chatTemplate: TOOL_TEMPLATES.hermes }) },
    { ASKD_MODEL_CONTEXT_TOKENS: '65536', ASKD_MODEL_SLOTS: '1' },
  );
});
afterAll(() => daemon.close());

test.each([
  [
    'claude',
    'messages[].content[].cache_control, system[].cache_control, metadata, context_management',
    'content_block_delta',
  ],
  ['codex', 'prompt_cache_key, client_metadata, tools[web_search]', 'response.output_text.delta'],
  ['opencode', undefined, 'chat.completion.chunk'],
])('the first request of %s is answered, and what has no effect is named', async (client, ignored, event) => {
  const { path, headers, body } = read(client);
  const reply = await daemon.call('POST', path, { token: daemon.key, headers, body });
  expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
  expect(reply.headers['x-askd-ignored']).toBe(ignored);
  expect(reply.text).toContain(event);
  expect(reply.text).not.toContain('"error":{');
});
