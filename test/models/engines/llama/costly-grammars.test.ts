import { afterAll, beforeAll, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import type { AnswerFormat, JsonSchema, Session } from '../../../../src/runtime/engine.ts';
import { COSTLY_SCHEMAS } from '../../../../scripts/fuzz/costly-schemas.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { ask, startChat, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

let session: Session;
beforeAll(async () => {
  const { path } = await randomModel('llama', { seed: 3 });
  session = await load(llama, path, { contextTokens: 4096, slots: 2 });
});
afterAll(() => session[Symbol.asyncDispose]());

const COSTLY = expect.objectContaining({
  code: expect.stringMatching(/^(schema_too_costly|unsupported_schema)$/) as string,
}) as Error;

function answer(format: AnswerFormat) {
  return ask(session, { messages: user('x'), maxTokens: 300, format });
}

test('a running answer continues while costly schemas are refused', async () => {
  const abort = new AbortController();
  let pieces = 0;
  const running = (async () => {
    // One answer after another: a fast machine finishes several while the schemas are refused.
    while (!abort.signal.aborted) {
      const events = startChat(session, { maxTokens: 4000, format: { type: 'json' } }, abort.signal);
      for await (const event of events) if (event.type === 'text') pieces += 1;
    }
  })();
  for (const schema of Object.values(COSTLY_SCHEMAS)) {
    const before = pieces;
    await expect(answer({ type: 'schema', schema })).rejects.toEqual(COSTLY);
    while (pieces === before) await new Promise((resolve) => setImmediate(resolve));
  }
  abort.abort();
  await running;
});

test('an answer ends with an error when its grammar becomes too costly', async () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      a: { const: 'x'.repeat(60) },
      b: { type: 'string', pattern: '^(a?){500}(a){500}$' },
    },
    required: ['a', 'b'],
    additionalProperties: false,
  };
  await expect(answer({ type: 'schema', schema })).rejects.toMatchObject({ code: 'schema_too_costly' });
  expect((await answer({ type: 'json' })).events.length).toBeGreaterThan(0);
});
