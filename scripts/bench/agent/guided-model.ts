import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { Side } from '../overhead/sides.ts';
import { word } from './documents.ts';

type Request = {
  messages: { content: string }[];
  response_format?: { json_schema?: { schema?: Record<string, unknown> } };
};

const CHARACTERS_PER_TOKEN = 4;
const DEADLINE_MS = 600_000;
const QUOTED_WORDS = 12;

export type GuidedModel = Awaited<ReturnType<typeof openGuidedModel>>;

/**
 * A model server whose answers are scripted, so that a run takes all of its cycles, but whose time is that of the
 * real engine: before each answer, the engine prefills and decodes as many tokens.
 */
export async function openGuidedModel(engine: Side) {
  const taken = { calls: 0, ms: 0, promptTokens: 0, completionTokens: 0 };
  const guide = createGuide();
  const server = createServer((request, response) => {
    const from = performance.now();
    void readText(request).then(async (body) => {
      const asked = JSON.parse(body) as Request;
      const prompt = asked.messages.map(({ content }) => content).join('\n\n');
      const said = guide(prompt, asked.response_format?.json_schema?.schema ?? {});
      const usage = { prompt_tokens: tokensOf(prompt), completion_tokens: tokensOf(said) };
      const limits = { maxTokens: usage.completion_tokens, deadlineMs: DEADLINE_MS };
      await engine.runBatch([thinned(prompt)], limits);
      taken.calls += 1;
      taken.promptTokens += usage.prompt_tokens;
      taken.completionTokens += usage.completion_tokens;
      taken.ms += performance.now() - from;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(asEvents(said, usage));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    taken,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Searches for other words in every cycle, and takes the first words of each text as a fact. */
function createGuide() {
  let serial = 0;
  const query = () => `${word((serial += 1) * 53)} ${word(serial * 97)}`;
  return (prompt: string, { oneOf, properties = {} }: Record<string, unknown>): string => {
    if (oneOf) return JSON.stringify({ thought: 'There may be more.', action: 'docs', query: query() });
    if ('queries' in (properties as object)) return JSON.stringify({ queries: [query(), query()] });
    if (!('facts' in (properties as object))) return 'The words say so [1], and others say it too [2].';
    const facts = Array.from(prompt.matchAll(/>>\n([^\n]+)/g), ([, line = '']) => {
      const quote = line.split(' ').slice(0, QUOTED_WORDS).join(' ').slice(0, 160);
      return { fact: quote, quote };
    });
    return JSON.stringify({ facts: facts.slice(0, 3) });
  };
}

const tokensOf = (text: string) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/**
 * The synthetic model has one token per character; keeping one of four leaves as many as a real one would have, and
 * equal prefixes stay equal.
 */
function thinned(text: string): string {
  return Array.from({ length: tokensOf(text) }, (_, index) => text[index * CHARACTERS_PER_TOKEN]).join('');
}

function asEvents(said: string, usage: { prompt_tokens: number; completion_tokens: number }): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'synthetic' };
  const end = { index: 0, delta: {}, finish_reason: 'stop' };
  const events = [
    { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: said }, finish_reason: null }] },
    { ...chunk, choices: [end] },
    {
      ...chunk,
      choices: [],
      usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
    },
  ];
  return [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
}
