import { llama } from '../../../models/engines/llama.ts';
import type { ItemEvent, Session } from '../../../src/runtime/engine.ts';
import { answerQuestions } from '../overhead/child.ts';
import { manifestOf } from '../overhead/manifest.ts';
import type { FromEngine, ToEngine } from './engine-side.ts';
import { CONTEXT_TOKENS } from './plan.ts';

/** The engine in a separate process, without daemon and HTTP. It measures here, so that the way back costs nothing. */
let session: Session | undefined;

answerQuestions<ToEngine, FromEngine>(async (question) => {
  if (question.type === 'open') {
    session = await openSession(question);
    return { type: 'opened' };
  }
  const { signal } = new AbortController();
  const startedAt = performance.now();
  const events =
    question.type === 'embed'
      ? session?.embed?.({ inputs: question.inputs }, signal)
      : session?.rerank?.({ query: question.query, documents: question.documents }, signal);
  if (events === undefined) throw new Error(`No model for ${question.type} is open`);
  return { type: 'done', items: await countItems(events), ms: performance.now() - startedAt };
});

async function countItems(events: AsyncIterable<ItemEvent<unknown>>): Promise<number> {
  let items = 0;
  for await (const event of events) if (event.type === 'item') items += 1;
  return items;
}

type Opening = Extract<ToEngine, { type: 'open' }>;

async function openSession({ file, task, threads, build }: Opening): Promise<Session> {
  const manifest = await manifestOf(file, task, CONTEXT_TOKENS);
  const compiled = build !== undefined && { modules: build, exactVectors: false };
  const options = { slots: 1, contextTokens: CONTEXT_TOKENS, threads, ...compiled };
  return llama.load(manifest, options, new AbortController().signal);
}
