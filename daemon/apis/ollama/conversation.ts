import type { ChatMessage } from '../../../src/runtime/engine.ts';
import { invalid } from '../../http/required.ts';

/** The messages that one `generate` passes to the next. */
type Exchange = readonly { role: 'user' | 'assistant'; content: string }[];

const BYTES = 3;

/**
 * Ollama's `context` is the tokens of a conversation, which its clients return unread. Ours encodes the conversation
 * itself, three bytes per number, so it works with any model, through its chat template.
 */
export function toContextNumbers(messages: readonly ChatMessage[]): number[] {
  const exchange = messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role, content: wordsOf(content) }] : [],
  );
  const bytes = Buffer.from(JSON.stringify(exchange));
  const padded = Buffer.alloc(Math.ceil(bytes.length / BYTES) * BYTES, ' ');
  bytes.copy(padded);
  return Array.from({ length: padded.length / BYTES }, (_, place) => padded.readUIntBE(place * BYTES, BYTES));
}

export function fromContextNumbers(numbers: readonly number[] = []): Exchange {
  if (numbers.length === 0) return [];
  const bytes = Buffer.alloc(numbers.length * BYTES);
  try {
    for (const [place, number] of numbers.entries()) bytes.writeUIntBE(number, place * BYTES, BYTES);
    const exchange = JSON.parse(bytes.toString('utf8')) as unknown;
    if (isExchange(exchange)) return exchange;
  } catch {
    // Reported below: it did not come from askd.
  }
  throw invalid(
    'context',
    'This context does not come from askd. Omit "context", or send messages to /api/chat.',
  );
}

function isExchange(value: unknown): value is Exchange {
  return (
    Array.isArray(value) &&
    value.every(
      (each: Partial<Exchange[number]> | null) =>
        (each?.role === 'user' || each?.role === 'assistant') && typeof each.content === 'string',
    )
  );
}

function wordsOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
