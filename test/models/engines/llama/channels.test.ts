import { describe, expect, test } from 'vitest';
import { llama } from '../../../../models/engines/llama.ts';
import type { ChatRequest, Session } from '../../../../src/runtime/engine.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { ask } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

/** In the form that gpt-oss's templates use: one turn is several messages, each in its own channel. */
const TEMPLATE =
  `{{ '<|start|>system<|message|>Reasoning: ' + (reasoning_effort or 'medium') + '\\n# Valid channels: analysis, commentary, final.<|end|>' }}` +
  `{% if tools %}{{ '<|start|>developer<|message|>' + (tools | tojson) + '<|end|>' }}{% endif %}` +
  `{% for m in messages %}{% if m.tool_calls %}{{ '<|start|>assistant to=functions.' + m.tool_calls[0].function.name + '<|channel|>commentary json<|message|>' + (m.tool_calls[0].function.arguments | tojson) + '<|call|>' }}` +
  `{% elif m.role == 'assistant' %}{{ '<|start|>assistant<|channel|>final<|message|>' + m.content + '<|end|>' }}` +
  `{% else %}{{ '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{% endif %}{% endfor %}` +
  `{% if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}`;

const THOUGHT = 'The user greets me.';
const ANSWER = 'Good morning.';
const FINAL = '<|channel|>final<|message|>';
const BOTH = `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant${FINAL}${ANSWER}`;

function open(says: string): Promise<Session> {
  return scriptedModel(says, { chatTemplate: TEMPLATE }).then(({ path }) => load(llama, path));
}

async function said(session: Session, request: Partial<ChatRequest> = {}) {
  const { events, reason } = await ask(session, { ...request, showPrompt: true });
  const texts = (type: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  const prompt = events.find((event) => event.type === 'prompt');
  return { reasoning: texts('reasoning'), text: texts('text'), reason, prompt: prompt?.text ?? '' };
}

const tools = [
  { name: 'get_time', parameters: { type: 'object', properties: {} } },
  { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
];
const CALL = '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Bern"}';

async function called(session: Session, request: Partial<ChatRequest> = {}) {
  const { events, reason } = await ask(session, { tools, ...request });
  const calls = events.flatMap((event) => (event.type === 'toolCall' ? [event.name] : []));
  const written = events.map((event) => (event.type === 'toolArguments' ? event.text : '')).join('');
  const thought = events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('');
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { calls, arguments: written, thought, text, reason };
}

const WEATHER = { calls: ['get_weather'], arguments: '{"city":"Bern"}', text: '', reason: 'tool_calls' };

describe('a call in a channel', () => {
  test('is parsed after reasoning, and without any', async () => {
    await using thinking = await open(
      `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant${CALL}`,
    );
    expect(await called(thinking)).toEqual({ ...WEATHER, thought: THOUGHT });
    await using direct = await open(CALL);
    expect(await called(direct)).toEqual({ ...WEATHER, thought: '' });
  });

  test('is also parsed if the header of the message has the recipient', async () => {
    const headed = ' to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Bern"}';
    await using thinking = await open(
      `<|channel|>analysis<|message|>${THOUGHT}<|end|><|start|>assistant${headed}`,
    );
    expect(await called(thinking)).toEqual({ ...WEATHER, thought: THOUGHT });
    await using direct = await open(headed);
    expect(await called(direct)).toEqual({ ...WEATHER, thought: '' });
  });

  test('is parsed beside any response format', async () => {
    await using session = await open(`${THOUGHT}<|end|><|start|>assistant${CALL}`);
    expect(await called(session, { format: { type: 'json' } })).toEqual({ ...WEATHER, thought: THOUGHT });
  });

  test('can be required', async () => {
    await using session = await open(CALL);
    expect(await called(session, { toolChoice: { name: 'get_weather' } })).toEqual({
      ...WEATHER,
      thought: '',
    });
  });

  test('leaves an answer in words unchanged', async () => {
    await using session = await open(BOTH);
    expect(await called(session)).toMatchObject({
      calls: [],
      thought: THOUGHT,
      text: ANSWER,
      reason: 'stop',
    });
  });
});

describe('a model whose turns have channels', () => {
  test('reasons in one and answers in another', async () => {
    await using session = await open(BOTH);
    expect(session.description.chat?.thinks).toBe(true);
    expect(await said(session)).toMatchObject({ reasoning: THOUGHT, text: ANSWER, reason: 'stop' });
  });

  test('may answer at once', async () => {
    await using session = await open(`${FINAL}${ANSWER}`);
    expect(await said(session)).toMatchObject({ reasoning: '', text: ANSWER, reason: 'stop' });
  });

  test('is given its reasoning effort by its template', async () => {
    await using session = await open(BOTH);
    expect((await said(session, { reasoning: { effort: 'high' } })).prompt).toContain('Reasoning: high');
  });

  test('has its answer prefilled if it must not reason', async () => {
    await using session = await open(ANSWER);
    const answer = await said(session, { reasoning: { effort: 'none' } });
    expect(answer).toMatchObject({ reasoning: '', text: ANSWER });
    expect(answer.prompt.endsWith(`<|start|>assistant${FINAL}`)).toBe(true);
  });

  test('stops reasoning when its budget is used up, and then answers in the requested format', async () => {
    await using session = await open('so on and on and on and on and on and on and on.');
    const request = {
      reasoning: { effort: 'low' as const, maxTokens: 3 },
      format: { type: 'json' as const },
    };
    const { reasoning, text } = await said(session, { ...request, maxTokens: 60 });
    expect(reasoning).not.toBe('');
    expect(reasoning).not.toContain('<|');
    expect(text.trimStart()).toMatch(/^\{/);
  });
});
