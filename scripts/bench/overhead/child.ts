import { fork } from 'node:child_process';
import { once } from 'node:events';

export type Failed = { type: 'failed'; message: string };

/** A process that is asked one question at a time; if it dies instead of answering, that is an error, not a wait. */
export function forkChild<Question extends object, Answer extends { type: string }>(
  file: string,
  environment: NodeJS.ProcessEnv,
  place: { cwd?: string; detached?: true } = {},
) {
  const env = { ...process.env, UV_THREADPOOL_SIZE: undefined, ...environment };
  // The library may write to stdout, which is for results.
  const child = fork(file, { env, stdio: ['ignore', 2, 2, 'ipc'], ...place });
  const exited = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`A measured process ended early: ${String(code ?? signal)}`);
  });
  exited.catch(() => undefined);

  async function ask<Type extends Answer['type']>(
    type: Type,
    question: Question,
  ): Promise<Extract<Answer, { type: Type }>> {
    const answered = once(child, 'message') as Promise<[Answer | Failed]>;
    child.send(question);
    const [answer] = await Promise.race([answered, exited]);
    if (answer.type === type) return answer as Extract<Answer, { type: Type }>;
    throw new Error('message' in answer ? answer.message : `Expected ${type}, got ${answer.type}`);
  }

  return {
    ask,
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill('SIGKILL');
      await exited.catch(() => undefined);
    },
  };
}

/** The child's end: answers each question, or says how it failed. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', (message) => {
    const failed = (error: unknown): Failed => ({
      type: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    void answer(message as Question).then(
      (answered) => process.send?.(answered),
      (error: unknown) => process.send?.(failed(error)),
    );
  });
  // Native threads would keep a process alive whose parent has gone.
  process.on('disconnect', () => process.exit());
}
