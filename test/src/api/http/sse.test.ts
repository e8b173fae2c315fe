import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEventData } from '../../../../src/api/http/sse.ts';

async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const data: string[] = [];
  for await (const each of readEventData(stream())) data.push(each);
  return data;
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('blank lines separate events; comments and other fields are skipped', async () => {
  const text = ': warm\n\nevent: x\ndata: one\nid: 7\n\ndata:two\n\ndata: a\ndata: b\n\n';
  expect(await read([bytes(text)])).toEqual(['one', 'two', 'a\nb']);
});

test('lines may end as on Windows', async () => {
  expect(await read([bytes('data: one\r\n\r\ndata: two\r\n\r\n')])).toEqual(['one', 'two']);
});

test('an event without its blank line never came', async () => {
  expect(await read([bytes('data: one\n\ndata: two\n')])).toEqual(['one']);
});

test('the bytes may be cut anywhere, also inside a letter', async () => {
  const whole = bytes('data: Grüße 日本語 😀\n\ndata: [DONE]\n\n');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: whole.length }), { maxLength: 8 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const chunks = edges.slice(1).map((end, index) => whole.subarray(edges[index], end));
      expect(await read(chunks)).toEqual(['Grüße 日本語 😀', '[DONE]']);
    }),
  );
});
