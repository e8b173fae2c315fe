import { Failure } from '../../src/base/errors.ts';
import type { Output, TerminalInput } from '../output/output.ts';

const STDIN_BYTES_MAX = 16 * 1024 * 1024;
const HINT_AFTER_MS = 3_000;

/** `-` among the words means stdin. */
export function splitPrompt(words: readonly string[]): { text: string; wantsStdin: boolean } {
  return { text: words.filter((word) => word !== '-').join(' '), wantsStdin: words.includes('-') };
}

/** The typed text, then the piped text. */
export function joinPrompt(text: string, piped: string): string {
  return [text.trim(), piped.trimEnd()].filter((part) => part !== '').join('\n\n');
}

export async function readStdin(stdin: TerminalInput, output: Output, signal: AbortSignal): Promise<string> {
  const hint = setTimeout(() => output.note('Reading the prompt from stdin…'), HINT_AFTER_MS);
  const end = () => stdin.destroy();
  signal.addEventListener('abort', end);
  try {
    return await readBounded(stdin);
  } finally {
    clearTimeout(hint);
    signal.removeEventListener('abort', end);
  }
}

async function readBounded(stdin: TerminalInput): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer | string>) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > STDIN_BYTES_MAX)
      throw new Failure('request_too_large', 'The input on stdin is larger than 16 MB.');
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
