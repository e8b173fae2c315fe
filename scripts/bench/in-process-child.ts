import { openDefaults } from './in-process-defaults.ts';
import { openEngine } from './in-process-engine.ts';
import type { FromChild, ToChild } from './in-process.ts';
import { timeBatch, type StreamReply } from './timing.ts';

/** The process around one in-process side. It measures here, so that the way back to the parent costs nothing. */
let stream: StreamReply | undefined;

process.on('message', (message) => void answer(message as ToChild));
// Native threads would keep a process alive whose parent has gone.
process.on('disconnect', () => process.exit());

async function answer(message: ToChild): Promise<void> {
  try {
    if (message.type === 'open') {
      const { file, threads } = message;
      stream = threads === undefined ? await openDefaults(file) : await openEngine(file, threads);
      send({ type: 'opened' });
    } else {
      if (stream === undefined) throw new Error('No model is open');
      send({ type: 'timings', timings: await timeBatch(stream, message.prompts, message.limits) });
    }
  } catch (error) {
    send({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
}

function send(message: FromChild): void {
  process.send?.(message);
}
