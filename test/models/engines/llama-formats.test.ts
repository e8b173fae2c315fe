import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { llama } from '../../../models/engines/llama.ts';
import type { JsonSchema, Session } from '../../../src/runtime/engine.ts';
import { supportedSchema } from '../../helpers/models/json-schemas.ts';
import { randomModel } from '../../helpers/models/models.ts';
import { ask, user } from '../chats.ts';
import { load } from '../engine-contract.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** Bytes are tokens with the same number here. Without this, strings would hardly ever end. */
const ENDS = { [byte('"')]: 5, [byte('}')]: 4, [byte(']')]: 4 };

function byte(character: string): number {
  return character.charCodeAt(0);
}

describe('llama: an answer under a schema', () => {
  let session: Session;
  beforeAll(async () => {
    session = await load(llama, (await randomModel('llama', { seed: 3 })).path, { contextTokens: 4096 });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  const write = (schema: JsonSchema, seed: number, logitBias: Record<string, number> = ENDS) =>
    ask(session, {
      messages: user('x'),
      maxTokens: 3000,
      format: { type: 'schema', schema },
      sampling: { temperature: 1.5, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed },
      logitBias,
    });

  test('fits it, though the weights are random', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(supportedSchema, fc.nat(), async (schema, seed) => {
        const { text, reason } = await write(schema, seed);
        // What is cut off at the longest allowed length is not complete, and says so.
        if (reason === 'length') return;
        ended += 1;
        const value: unknown = JSON.parse(text);
        const validate = ajv.compile(schema);
        expect([validate(value), validate.errors, text]).toEqual([true, null, text]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 150) },
    );
    expect(ended).toBeGreaterThan(100);
  });

  test('has a banned token only if nothing else fits', async () => {
    const banned = { [byte('a')]: -100, [byte('e')]: -100 };
    for (let seed = 0; seed < 10; seed++) {
      const free = await write({ enum: ['aa', 'bb', 'bc'] }, seed, banned);
      expect(JSON.parse(free.text)).toMatch(/^b[bc]$/);
      const bound = await write({ const: true }, seed, banned);
      expect(JSON.parse(bound.text)).toBe(true);
    }
  });
});
