import type { Progress } from './progress.ts';

/** Sends many inputs in requests of a size that the server accepts, with progress. */
export async function inBatches<Input, Reply>(
  inputs: readonly Input[],
  { size, progress }: { size: number; progress: Progress },
  ask: (batch: Input[]) => Promise<Reply>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  try {
    for (let start = 0; start < inputs.length; start += size) {
      replies.push(await ask(inputs.slice(start, start + size)));
      if (inputs.length > size) progress.show(Math.min(start + size, inputs.length), inputs.length);
    }
  } finally {
    progress.end();
  }
  return replies;
}

/** The total usage and cost of several requests. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
