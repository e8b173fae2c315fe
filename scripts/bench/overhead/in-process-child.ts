import { answerQuestions } from './child.ts';
import type { FromChild, ToChild } from './in-process.ts';
import { timeBatch, type OpenModel } from './timing.ts';

/** The process around one in-process side. It measures here, so that the way back to the parent costs nothing. */
let opened: OpenModel | undefined;

answerQuestions<ToChild, FromChild>(async (message) => {
  if (message.type === 'open') {
    opened = await openModel(message);
    return { type: 'opened', threads: opened.threads };
  }
  if (opened === undefined) throw new Error('No model is open');
  return { type: 'timings', timings: await timeBatch(opened.stream, message.prompts, message.limits) };
});

/** Each side loads only what it needs: the library's defaults do without the engine, and vice versa. */
async function openModel({ file, threads }: Extract<ToChild, { type: 'open' }>): Promise<OpenModel> {
  if (threads === undefined) return (await import('./in-process-defaults.ts')).openDefaults(file);
  return (await import('./in-process-engine.ts')).openEngine(file, threads);
}
