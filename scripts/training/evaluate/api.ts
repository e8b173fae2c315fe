import { setTimeout } from 'node:timers/promises';
import type { Message, Sample } from '../chat/sample.ts';

type Asked = Pick<Sample, 'messages' | 'tools' | 'schema'>;
export type Api = ReturnType<typeof createApi>;

const INPUTS_MAX = 32;

/** The few requests that an evaluation makes. */
export function createApi({ baseUrl, key }: { baseUrl: string; key: string }) {
  async function post<Answer>(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    // An evaluation sends requests faster than any tier allows.
    if (response.status === 429) {
      await setTimeout(1000 * Number(response.headers.get('retry-after') ?? 1));
      return post(path, body);
    }
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  }

  async function inBatches<Item>(inputs: readonly string[], ask: (batch: string[]) => Promise<Item[]>) {
    const items: Item[] = [];
    for (let start = 0; start < inputs.length; start += INPUTS_MAX) {
      items.push(...(await ask(inputs.slice(start, start + INPUTS_MAX))));
    }
    return items;
  }

  return {
    async isReady(model: string): Promise<boolean> {
      const response = await fetch(`${baseUrl}/models/${model}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const { local } = (await response.json()) as { local: { artifact: string | null; state: string } };
      return local.artifact?.startsWith('starter-') === true && local.state !== 'not_installed';
    },

    embed: (inputs: readonly string[]) =>
      inBatches(inputs, async (input) => {
        type Answer = { data: { embedding: number[] }[] };
        const { data } = await post<Answer>('/embeddings', { model: 'svc-embed-v1', input });
        return data.map(({ embedding }) => embedding);
      }),

    moderate: (inputs: readonly string[]) =>
      inBatches(inputs, async (input) => {
        type Answer = { results: { categories: Record<string, boolean> }[] };
        const { results } = await post<Answer>('/moderate', { model: 'svc-moderation-v1', input });
        return results.map(({ categories }) => Object.keys(categories).filter((name) => categories[name]));
      }),

    /** The numbers of the documents, the best first. */
    async rerank(query: string, documents: readonly string[]): Promise<number[]> {
      type Answer = { results: { index: number }[] };
      const { results } = await post<Answer>('/rerank', { model: 'svc-rerank-v1', query, documents });
      return results.map(({ index }) => index);
    },

    /** The most likely answer. A tool call is returned as the model wrote it. */
    async chat(model: string, { messages, tools = [], schema }: Asked): Promise<string> {
      type Call = { function: { name: string; arguments: string } };
      type Answer = { choices: { message: { content: string | null; tool_calls?: Call[] } }[] };
      const { choices } = await post<Answer>('/chat/completions', {
        model,
        messages: messages.map(asSent),
        temperature: 0,
        max_tokens: 256,
        ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
        ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
      });
      const { content, tool_calls: calls = [] } = choices[0]?.message ?? {};
      const written = calls.map(
        ({ function: { name, arguments: args } }) =>
          `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`,
      );
      return [...(content ? [content] : []), ...written].join('\n');
    },

    agent: (query: string) =>
      post<{ answer: string }>('/agent/run', { query, model: 'svc-chat-v1', sources: { web: false } }),
  };
}

const CALL = /^<tool_call>\n\{"name": "(\w+)", "arguments": ([\s\S]*)\}\n<\/tool_call>$/;

/** A call that a sample has as text goes over the wire as what it is, and its result names it. */
function asSent({ role, content }: Message): object {
  const id = 'call_0001';
  if (role === 'tool') return { role, content, tool_call_id: id };
  const [, name, args] = role === 'assistant' ? (CALL.exec(content) ?? []) : [];
  if (name === undefined) return { role, content };
  return { role, content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: args } }] };
}
