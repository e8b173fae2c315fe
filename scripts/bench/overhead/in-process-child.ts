import type { FromChild, ToChild } from './in-process.ts';
import { timeBatch, type OpenModel } from './timing.ts';

/** The process around one in-process side. It measures here, so that the way back to the parent costs nothing. */
let opened: OpenModel | undefined;

process.on('message', (message) => void answer(message as ToChild));
// Native threads would keep a process alive whose parent has gone.
process.on('disconnect', () => process.exit());

async function answer(message: ToChild): Promise<void> {
  try {
    if (message.type === 'open') {
      opened = await openModel(message);
      send({ type: 'opened', threads: opened.threads });
    } else {
      if (opened === undefined) throw new Error('No model is open');
      send({ type: 'timings', timings: await timeBatch(opened.stream, message.prompts, message.limits) });
    }
  } catch (error) {
    send({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

/** Each side loads only what it needs: the engine is not there for the library's defaults, nor the other way round. */
async function openModel({ file, threads }: Extract<ToChild, { type: 'open' }>): Promise<OpenModel> {
  if (threads === undefined) return (await import('./in-process-defaults.ts')).openDefaults(file);
  return (await import('./in-process-engine.ts')).openEngine(file, threads);
}

function send(message: FromChild): void {
  process.send?.(message);
}
