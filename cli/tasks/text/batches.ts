import type { Progress } from './progress.ts';

/** Asks for many inputs in requests of a size that the server takes, and says how far it is. */
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

/** What several requests used and cost together. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
