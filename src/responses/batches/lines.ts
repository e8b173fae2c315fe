import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A request of a batch as written in its file. Lines are counted from 1. */
export type Line = { number: number; text: string };

export type Request = { custom_id: string; method: string; url: string; body: Record<string, unknown> };

/** Empty lines are ignored. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const file = createReadStream(path, { encoding: 'utf8' });
  let number = 0;
  try {
    for await (const text of createInterface({ input: file, crlfDelay: Infinity })) {
      number += 1;
      if (text.trim() !== '') yield { number, text: number === 1 ? text.replace(/^\uFEFF/, '') : text };
    }
  } finally {
    file.destroy();
  }
}
