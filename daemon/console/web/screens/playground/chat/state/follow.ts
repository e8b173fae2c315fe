import type { ChatCompletionChunk } from '../../../../../../../src/api/chat/chat.ts';
import type { ApiError } from '../../../../data/api.ts';
import { streamAnswer } from './stream-answer.ts';
import type { AnswerTurn, Problem } from './turn.ts';

/** Often enough to read along, and rarely enough for the page to do other things. */
const SHOW_MS = 50;

const running = new Map<string, AbortController>();

type Asked<Chunk> = {
  path: string;
  body: object;
  toChunk: (chunk: Chunk) => ChatCompletionChunk;
  show: (answer: AnswerTurn) => void;
};

/** Sends a request and shows its answer as it grows, until it has ended one way or another. */
export async function follow<Chunk>(answer: AnswerTurn, asked: Asked<Chunk>): Promise<void> {
  const { show, ...request } = asked;
  const controller = new AbortController();
  const { signal } = controller;
  running.set(answer.id, controller);
  let latest = answer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for await (const next of streamAnswer(answer, { ...request, signal })) {
      latest = next;
      timer ??= setTimeout(() => {
        timer = undefined;
        show(latest);
      }, SHOW_MS);
    }
    latest = { ...latest, state: 'done' };
  } catch (error) {
    const isStopped = signal.aborted;
    latest = isStopped
      ? { ...latest, state: 'stopped' }
      : { ...latest, state: 'failed', problem: toProblem(error) };
  } finally {
    clearTimeout(timer);
    running.delete(answer.id);
  }
  show(latest);
}

export function stop(ids: readonly string[]): void {
  for (const id of ids) running.get(id)?.abort();
}

/** Changes by a person or the event stream in the meantime are kept. */
export function merged(now: AnswerTurn, next: AnswerTurn): AnswerTurn {
  return {
    ...next,
    chosen: now.chosen,
    ...(now.numbers && !next.numbers && { numbers: now.numbers }),
    requests: next.requests.map((each) => now.requests.find(({ id }) => id === each.id) ?? each),
  };
}

function toProblem(error: unknown): Problem {
  const { message, param } = error as Partial<ApiError>;
  return { message: message ?? String(error), param: param ?? null };
}
