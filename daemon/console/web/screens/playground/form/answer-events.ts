import { readEvents } from '../../../data/playground-key.ts';

/**
 * The events of a streamed answer. An event that reports a failure, or a stream that breaks off, ends them with an
 * error.
 */
export async function* answerEvents<Event>(response: Response): AsyncGenerator<Event> {
  for await (const data of readEvents(response)) {
    if (data === '[DONE]') return;
    const event = JSON.parse(data) as Event & { error?: { message: string } };
    if (event.error) throw new Error(event.error.message);
    yield event as Awaited<Event>;
  }
  throw new Error('The connection broke off before the answer was complete.');
}
