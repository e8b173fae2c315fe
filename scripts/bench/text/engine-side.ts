import { fileURLToPath } from 'node:url';
import { runnerEnvironment } from '../../../src/runtime/runner-environment.ts';
import { forkChild } from '../overhead/child.ts';

export type ToEngine =
  | { type: 'open'; file: string; task: 'embed' | 'rerank'; threads: number; build: string | undefined }
  | { type: 'embed'; inputs: readonly string[] }
  | { type: 'rerank'; query: string; documents: readonly string[] };

export type FromEngine = { type: 'opened' } | { type: 'done'; items: number; ms: number };

const CHILD = fileURLToPath(new URL('./engine-child.js', import.meta.url));

/** `threads` is the daemon's own choice; otherwise the comparison would be one of thread counts. */
export async function startEngine(open: Omit<Extract<ToEngine, { type: 'open' }>, 'type'>) {
  const child = forkChild<ToEngine, FromEngine>(CHILD, runnerEnvironment('llama'));
  await child.ask('opened', { type: 'open', ...open });
  const time = async (question: ToEngine, count: number): Promise<number> => {
    const { items, ms } = await child.ask('done', question);
    if (items !== count) throw new Error(`The engine made ${items} of ${count}`);
    return ms;
  };
  return {
    embed: (inputs: readonly string[]) => time({ type: 'embed', inputs }, inputs.length),
    rerank: (query: string, documents: readonly string[]) =>
      time({ type: 'rerank', query, documents }, documents.length),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
