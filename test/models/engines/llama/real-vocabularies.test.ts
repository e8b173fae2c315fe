import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import type { ChatRequest, Session, ToolDefinition } from '../../../../src/runtime/engine.ts';
import { vocabularyExamples } from '../../../../scripts/fixtures/llama-files.ts';
import { vocabularyModel } from '../../../helpers/models/models.ts';
import { ask, countTokens, never, user, type Answer } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const ajv = new Ajv2020({ strict: false });
const SAMPLING = { temperature: 1.2, topP: 1, presencePenalty: 0, frequencyPenalty: 0 };
/** For reasoning models: random weights would reason to the end of the budget. */
const AT_ONCE = { reasoning: { effort: 'none' } } as const;

/**
 * Text that llama.cpp's own way of joining tokens would change: blanks before punctuation, and single quotation
 * marks.
 */
const COMMANDS = `cd .. && find . -name ' x' ! -newer ./y ; git add . , it 's so ? we 're "done" .\n\n\tyes !`;
const STORY = 'Grüße 😁 ?我想在apple工作  1314151天～ កាន់តែ 🦙.cpp';

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    mood: { enum: ['good', 'bad', null] },
    tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]{2,5}$' }, maxItems: 2 },
  },
  required: ['name', 'age', 'mood', 'tags'],
  additionalProperties: false,
};
const REGISTER: ToolDefinition = {
  name: 'register',
  description: 'Writes down who is there.',
  parameters: PERSON,
  isStrict: true,
};

const FAMILIES = [
  { vocabulary: 'gemma-4', template: 'google-gemma-4-31B-it', end: '<turn|>' },
  { vocabulary: 'qwen35', template: 'Qwen3.5-4B', end: '<|im_end|>' },
  { vocabulary: 'qwen2', template: 'Qwen-Qwen2.5-7B-Instruct', end: '<|im_end|>' },
  { vocabulary: 'llama-bpe', template: 'meta-llama-Llama-3.1-8B-Instruct', end: '<|eot_id|>' },
  { vocabulary: 'phi-3', template: 'microsoft-Phi-3.5-mini-instruct', end: '<|end|>' },
  {
    vocabulary: 'command-r',
    template: 'CohereForAI-c4ai-command-r7b-12-2024-tool_use',
    end: '<|END_OF_TURN_TOKEN|>',
  },
] as const;

describe.each(FAMILIES)('$vocabulary with $template', ({ vocabulary, template, end }) => {
  let session: Session;
  beforeAll(async () => {
    session = await load(llama, (await vocabularyModel(vocabulary, template)).path, { contextTokens: 4096 });
  });
  afterAll(() => session[Symbol.asyncDispose]());

  const idsOf = async (text: string) => {
    const tokens = await session.tokenize?.({ text, addsSpecial: false, parsesSpecial: true }, never());
    return (tokens ?? []).map(({ id }) => id);
  };
  const say = (request: Partial<ChatRequest>) =>
    ask(session, {
      messages: user('Who is there?'),
      sampling: { ...SAMPLING, seed: 1 },
      ...AT_ONCE,
      ...request,
    });

  test.each([COMMANDS, STORY])('writes %j exactly', async (text) => {
    const { text: written, reason } = await say({
      maxTokens: 400,
      format: { type: 'grammar', grammar: `root ::= ${JSON.stringify(text)}` },
    });
    expect([written, reason]).toEqual([text, 'stop']);
  });

  test('ends where the model ends its turn', async () => {
    const [token = 0, ...more] = await idsOf(end);
    expect(more).toEqual([]);
    const answer = await say({ maxTokens: 20, logitBias: { [token]: 100 } });
    expect(answer).toMatchObject({ text: '', reason: 'stop', completionTokens: 0 });
  });

  test('counts the prompt as its template writes it', async () => {
    const answer = await say({ maxTokens: 3, showPrompt: true });
    const prompt = answer.events.find((event) => event.type === 'prompt');
    expect(await idsOf(prompt?.text ?? '')).toHaveLength(answer.promptTokens);
    expect(answer.completionTokens).toBe(3);
  });

  test("accepts no control token from a user's text", async () => {
    const [plain, tricky] = [
      await countTokens(session, user('a b')),
      await countTokens(session, user(`a${end}b`)),
    ];
    expect(tricky).toBeGreaterThan(plain + 2);
  });

  test.each([1, 2, 3])('answers in JSON that fits a schema, seed %d', async (seed) => {
    const { text } = await say({
      ...{ maxTokens: 600, sampling: { ...SAMPLING, seed } },
      format: { type: 'schema', schema: PERSON },
    });
    expect([ajv.validate(PERSON, JSON.parse(text)), ajv.errors]).toEqual([true, null]);
  });

  test.each([1, 2, 3])('calls a tool with arguments that fit, seed %d', async (seed) => {
    const answer = await say({
      ...{ maxTokens: 900, sampling: { ...SAMPLING, seed } },
      ...{ tools: [REGISTER], toolChoice: 'required', parallelToolCalls: false },
    });
    expect(answer.reason).toBe('tool_calls');
    const [args, ...more] = argumentsIn(answer);
    expect(more).toEqual([]);
    expect([ajv.validate(PERSON, args), ajv.errors]).toEqual([true, null]);
  });
});

function argumentsIn({ events }: Answer): unknown[] {
  const calls: string[] = [];
  for (const event of events) {
    if (event.type === 'toolCall') calls.push('');
    if (event.type === 'toolArguments') calls[event.index] += event.text;
  }
  return calls.map((text) => JSON.parse(text) as unknown);
}

const VOCABULARIES = [
  ...FAMILIES.map(({ vocabulary }) => vocabulary),
  ...['deepseek-coder', 'deepseek-llm', 'falcon', 'gpt-2', 'llama-spm', 'mpt', 'refact', 'starcoder'],
];

test.each(VOCABULARIES)('%s splits texts as its authors do, and joins them again', async (name) => {
  const { path } = await vocabularyModel(name, 'Qwen-Qwen2.5-7B-Instruct');
  await using session = await load(llama, path, { contextTokens: 512 });
  const examples = vocabularyExamples(name).filter(({ text }) => text !== '');
  expect(examples.length).toBeGreaterThan(40);
  for (const { text, tokens } of examples) {
    const request = { text, addsSpecial: false, parsesSpecial: false };
    const cut = (await session.tokenize?.(request, never())) ?? [];
    expect([text, cut.map(({ id }) => id)]).toEqual([text, tokens]);
    expect(await session.detokenize?.(tokens, never())).toBe(text);
  }
});
