import type { Output } from '../output.ts';

/** Asks for many inputs in requests of a size that the server takes, and says how far it is. */
export async function inBatches<Input, Reply>(
  inputs: readonly Input[],
  { size, output }: { size: number; output: Output },
  ask: (batch: Input[]) => Promise<Reply>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let start = 0; start < inputs.length; start += size) {
    replies.push(await ask(inputs.slice(start, start + size)));
    if (inputs.length > size) output.note(`${Math.min(start + size, inputs.length)} of ${inputs.length}`);
  }
  return replies;
}

/** What several requests used and cost together. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
