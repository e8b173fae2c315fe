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

    async chat(messages: readonly object[]): Promise<string> {
      type Answer = { choices: { message: { content: string | null } }[] };
      const body = { model: 'svc-chat-v1', messages, temperature: 0, max_tokens: 256 };
      const { choices } = await post<Answer>('/chat/completions', body);
      return choices[0]?.message.content ?? '';
    },
  };
}
