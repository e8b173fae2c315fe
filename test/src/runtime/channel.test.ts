import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChannel } from '../../../src/runtime/channel.ts';
import type { ChatEvent } from '../../../src/runtime/engine.ts';
import { mergeText } from '../../../src/runtime/merge-text.ts';

const text = (words: string, completionTokens: number): ChatEvent => ({
  type: 'text',
  text: words,
  completionTokens,
});

async function readAll(channel: { iterate: () => AsyncIterable<unknown> }): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of channel.iterate()) events.push(event as ChatEvent);
  return events;
}

test('pieces of text that wait for a slow reader arrive as one, with the count of the last', async () => {
  const channel = createChannel<unknown>(mergeText);
  for (const [index, word] of ['one ', 'two ', 'three'].entries()) channel.push(text(word, index + 1));
  channel.push({ type: 'end', reason: 'stop', completionTokens: 3 });
  channel.end();
  expect(await readAll(channel)).toEqual([
    text('one two three', 3),
    { type: 'end', reason: 'stop', completionTokens: 3 },
  ]);
});

test('a reader that keeps up gets each piece at once', async () => {
  const channel = createChannel<unknown>(mergeText);
  const reader = channel.iterate();
  for (let token = 1; token <= 5; token++) {
    const next = reader.next();
    channel.push(text('x', token));
    expect((await next).value).toEqual(text('x', token));
  }
});

const anyEvent = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string({ minLength: 1 }), choice: fc.nat(2) }),
  fc.record({ type: fc.constant('reasoning'), text: fc.string({ minLength: 1 }), choice: fc.nat(2) }),
  fc.record({ type: fc.constant('toolCall'), index: fc.nat(2), name: fc.string(), choice: fc.nat(2) }),
  fc.record({ type: fc.constant('toolArguments'), index: fc.nat(2), text: fc.string(), choice: fc.nat(2) }),
);

test('whatever is joined, each text is whole and everything else is in its place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent), async (events) => {
      const channel = createChannel<unknown>(mergeText);
      for (const event of events) channel.push(event);
      channel.end();
      const seen = await readAll(channel);
      expect(spelled(seen)).toEqual(spelled(events as unknown as ChatEvent[]));
      expect(seen.length).toBeLessThanOrEqual(events.length);
    }),
  );
});

/** Each character with the text that it belongs to. */
function spelled(events: readonly ChatEvent[]): string[] {
  return events.flatMap((event) =>
    'text' in event && event.text !== undefined
      ? [...event.text].map((letter) => `${textOf(event)} ${letter}`)
      : [JSON.stringify(event)],
  );
}

function textOf(event: ChatEvent): string {
  return `${event.type} ${'choice' in event ? event.choice : 0} ${'index' in event ? event.index : 0}`;
}

test('logprobs of the tokens stay together with their text', () => {
  const logprob = (token: string) => ({ token, logprob: -1, bytes: [1], top: [] });
  const merged = mergeText(
    { ...text('a', 1), logprobs: [logprob('a')] },
    { ...text('b', 2), logprobs: [logprob('b')] },
  );
  expect(merged).toEqual({ ...text('ab', 2), logprobs: [logprob('a'), logprob('b')] });
});
