import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { chatRequest } from '../../../cli/chat/options.ts';
import { joinPrompt, readStdin, splitPrompt } from '../../../cli/chat/prompt.ts';
import { createOutput } from '../../../cli/output/output.ts';
import { createIo } from '../../helpers/terminal/cli.ts';

test('words are one prompt, and - asks for stdin', () => {
  expect(splitPrompt(['what', 'is', 'this?'])).toEqual({ text: 'what is this?', wantsStdin: false });
  expect(splitPrompt(['summarise', '-'])).toEqual({ text: 'summarise', wantsStdin: true });
});

test('what is piped in follows what was typed', () => {
  expect(joinPrompt('summarise', 'a file\n  with lines\n')).toBe('summarise\n\na file\n  with lines');
  expect(joinPrompt('', '  indented\n')).toBe('  indented');
  expect(joinPrompt('typed', '\n')).toBe('typed');
  expect(joinPrompt('', '')).toBe('');
});

test('stdin is read whole, with letters that are cut between chunks, and up to a limit', async () => {
  const output = createOutput(createIo({}).io, { json: false, quiet: false, color: false });
  const read = (chunks: Buffer[]) =>
    readStdin(Readable.from(chunks, { objectMode: false }), output, new AbortController().signal);
  const letters = Buffer.from('日本語');
  expect(await read([letters.subarray(0, 4), letters.subarray(4)])).toBe('日本語');
  await expect(read(Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024)))).rejects.toMatchObject({
    code: 'request_too_large',
  });
});

test('a request says only what was asked for', () => {
  const messages = [{ role: 'user' as const, content: 'hi' }];
  expect(chatRequest({ model: 'm', stream: true }, messages)).toEqual({ model: 'm', messages });
  const all = {
    model: 'm',
    stream: true,
    stats: true,
    system: 's',
    maxTokens: 5,
    temperature: 0,
    topP: 1,
    stop: ['x'],
    seed: 0,
  };
  expect(chatRequest(all, messages)).toEqual({
    model: 'm',
    messages: [{ role: 'system', content: 's' }, ...messages],
    max_tokens: 5,
    temperature: 0,
    top_p: 1,
    stop: ['x'],
    seed: 0,
    stream_options: { include_usage: true },
  });
});
