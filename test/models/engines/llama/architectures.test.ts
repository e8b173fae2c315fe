import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ARCHITECTURES } from '../../../../scripts/fixtures/architectures/architecture-model.ts';
import { REFUSED } from '../../../../scripts/fixtures/architectures/refused.ts';
import { ENCODERS } from '../../../../scripts/fixtures/architectures/encoders.ts';
import { bundledArchitectures } from '../../../../scripts/fixtures/llama-files.ts';
import { END_OF_TURN_TOKEN } from '../../../../src/gguf/byte-level.ts';
import { entryFile } from '../../../../src/base/paths.ts';
import type { Session } from '../../../../src/runtime/engine.ts';
import type { ModelManifest } from '../../../../src/runtime/manifest.ts';
import { startRunner } from '../../../../src/runtime/runner.ts';
import { refusalReason } from '../../../../src/library/formats/gguf-abilities.ts';
import { isRwkv7 } from '../../../../src/library/formats/gguf-obstacle.ts';
import { llama } from '../../../../models/engines/llama.ts';
import { hasFlashAttention, runsAlone } from '../../../../models/engines/llama/loading/limits.ts';
import { architectureModel } from '../../../helpers/models/models.ts';
import { similarity } from '../../../helpers/models/text-models.ts';
import { ask, never, user, type Answer } from '../../chats.ts';
import { manifestOf } from '../../engine-contract.ts';

const DOCUMENT = new URL('../../../../docs/architectures.md', import.meta.url);

const BEGIN_AND_END_OF_TEXT_TOKEN = 256;

/** An answer starts after its blanks, so these would be missing at its start. */
const BLANKS = [...Buffer.from('\t\n\v\f\r ')];
const UNWANTED = [BEGIN_AND_END_OF_TEXT_TOKEN, END_OF_TURN_TOKEN, ...BLANKS];

/** Whatever the weights are, none of them ends its turn. */
const TWELVE_TOKENS = {
  maxTokens: 12,
  logprobs: { top: 20 },
  logitBias: Object.fromEntries(UNWANTED.map((token) => [token, -100])),
};
/** Sums in a different order differ slightly, and if two tokens are about equally likely, either may come. */
const LOGPROB_TOLERANCE = 0.05;

/** Widely used ones, each in its own runner. The engine loads the others here, which takes a third of the time. */
const IN_RUNNERS = (
  'llama qwen2 qwen3 qwen3moe qwen3next gemma3 gemma4 phi3 gpt-oss glm4moe granite granitehybrid lfm2 smollm3 ' +
  'command-r falcon-h1 mamba2 jamba bert nomic-bert jina-bert-v2 gemma-embedding'
).split(' ');

async function open(architecture: string, tasks: ModelManifest['tasks']): Promise<Session> {
  const manifest = { ...manifestOf(llama, (await architectureModel(architecture)).path), tasks };
  const options = { slots: 2, contextTokens: 512, threads: 1 };
  if (!IN_RUNNERS.includes(architecture)) return llama.load(manifest, options, never());
  return startRunner({ entry: entryFile('models/runner.js'), manifest, load: options, signal: never() });
}

describe('the engine', () => {
  test.each(Object.keys(ARCHITECTURES).filter((name) => !(name in ENCODERS)))(
    'chats with %s',
    async (architecture) => {
      await using session = await open(architecture, ['chat']);
      const questions = ['What is the capital of France?', 'Name three colours, please.'].map(user);
      const answerTo = async (messages: ReturnType<typeof user>, cacheSalt?: string) => {
        const salt = cacheSalt !== undefined && { cacheSalt };
        const answer = await ask(session, { messages, ...TWELVE_TOKENS, ...salt });
        expect(answer.completionTokens).toBe(TWELVE_TOKENS.maxTokens);
        return answer;
      };

      const alone = [];
      for (const question of questions) alone.push(await answerTo(question));
      const next = [
        ...(questions[0] ?? []),
        { role: 'assistant' as const, content: alone[0]?.text ?? '' },
        ...user('And of Spain?'),
      ];
      const continued = await answerTo(next);
      // With one slot, the second question may have replaced the state of the first.
      if (session.description.slots !== 1) expect(continued.cachedTokens).toBeGreaterThan(0);
      expectSame(continued, await answerTo(next, 'from the start'));

      const together = await Promise.all(questions.map((question) => answerTo(question, 'fresh')));
      for (const [index, answer] of alone.entries()) expectSame(together[index], answer);
    },
  );

  test('does without flash attention where it would crash llama.cpp', async () => {
    const manifest = {
      ...manifestOf(llama, (await architectureModel('plm')).path),
      tasks: ['chat' as const],
    };
    const load = { slots: 1, contextTokens: 512, flashAttention: 'on' as const };
    const entry = entryFile('models/runner.js');
    await using session = await startRunner({ entry, manifest, load, signal: never() });
    expect(session.description).toMatchObject({ flashAttention: 'off', calibration: expect.anything() });
    expect((await ask(session, { maxTokens: 4 })).completionTokens).toBeGreaterThan(0);
  });

  test.each(Object.keys(ENCODERS))('embeds with %s', async (architecture) => {
    await using session = await open(architecture, ['embed']);
    const embed = async (inputs: string[]) => {
      const vectors: Float32Array[] = [];
      for await (const event of session.embed?.({ inputs }, never()) ?? []) {
        if (event.type === 'item') vectors.push(event.result);
      }
      return vectors;
    };
    const texts = ['the cat sat on the mat', 'red fire'];
    const [cat, fire] = [await embed(texts.slice(0, 1)), await embed(texts.slice(1))];
    const both = await embed(texts);
    expect(both).toEqual([...cat, ...fire]);
    for (const vector of both) expect(similarity(vector, vector)).toBeCloseTo(1, 4);
    expect(similarity(both[0] ?? [], both[1] ?? [])).toBeLessThan(0.9999);
  });
});

test('every architecture that llama.cpp names is either tested or refused with a reason', () => {
  const tested = (name: string) => name in ARCHITECTURES;
  const refused = (name: string) => refusalReason(name) !== undefined;
  expect(bundledArchitectures().filter((name) => tested(name) === refused(name))).toEqual([]);
});

test('docs/architectures.md is right about each', () => {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .match(/^\| .*$/gm)
    ?.slice(2);
  const singleBlanks = (row: string) => row.replaceAll(/ +/g, ' ');
  expect(rows?.map(singleBlanks)).toEqual(bundledArchitectures().toSorted().map(rowOf));
});

function rowOf(name: string): string {
  const reason = refusalReason(name);
  const runsAs = reason === undefined ? (name in ENCODERS ? 'embeddings' : 'text') : 'refused';
  const notes = [
    ...(reason === undefined ? [] : [reason]),
    ...(runsAlone(name) ? ['one request at a time'] : []),
    ...(hasFlashAttention(name) ? [] : ['without flash attention']),
    ...(isRwkv7(name) ? ['heads of 64 or a multiple of it; others are refused'] : []),
  ];
  return `| ${name} | ${runsAs} | ${notes.length === 0 ? '–' : notes.join('; ')} |`;
}

const ENDS = /^(runner_crashed|model_load_failed|invalid_model_file)$/;

describe('a model that the engine cannot run', () => {
  test.each(Object.keys(REFUSED))('%s ends only as an error of its runner', async (architecture) => {
    const manifest = {
      ...manifestOf(llama, (await architectureModel(architecture)).path),
      tasks: ['chat' as const],
    };
    const options = { slots: 1, contextTokens: 512, threads: 1 };
    const start = async () => {
      await using session = await startRunner({
        ...{ entry: entryFile('models/runner.js'), manifest, load: options, signal: never() },
      });
      return await ask(session, { maxTokens: 4 });
    };
    await expect(start()).rejects.toMatchObject({ code: expect.stringMatching(ENDS) });
  });
});

/** Up to the first token at which two were equally likely: after it, the answers are about different texts. */
function expectSame(actual: Answer | undefined, expected: Answer): void {
  const tokens = tokensOf(actual);
  for (const [index, wanted] of tokensOf(expected).entries()) {
    const same = [wanted, ...wanted.top].find(({ bytes }) => String(bytes) === String(tokens[index]?.bytes));
    expect(same?.logprob).toBeGreaterThan(wanted.logprob - LOGPROB_TOLERANCE);
    if (same !== wanted) return;
    expect(Math.abs((tokens[index]?.logprob ?? NaN) - wanted.logprob)).toBeLessThan(LOGPROB_TOLERANCE);
  }
}

function tokensOf(answer: Answer | undefined) {
  return answer?.events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : [])) ?? [];
}
