import OpenAI, { toFile } from 'openai';
import { expect, test } from 'vitest';
import { ANSWER, troubledDaemon } from '../../helpers/daemon/test-key.ts';

test('a body is read slowly', async () => {
  const { ask } = await troubledDaemon();
  const startedAt = performance.now();
  const response = await ask('upload-bytes-per-second=500', {
    messages: [{ role: 'user', content: 'x'.repeat(100) }],
  });
  expect(performance.now() - startedAt).toBeGreaterThan(198);
  expect(response.headers.get('x-askd-simulated')).toBe('upload-bytes-per-second=500');
  expect(((await response.json()) as OpenAI.ChatCompletion).choices[0]?.message.content).toBe(ANSWER);
});

test('a form is read slowly, and its file arrives whole', async () => {
  const { baseURL, tests } = await troubledDaemon();
  const openai = new OpenAI({ apiKey: tests.key, baseURL, maxRetries: 0 });
  const text = 'A line of a text.\n'.repeat(1_000);
  const startedAt = performance.now();
  const file = await openai.files.create(
    { file: await toFile(Buffer.from(text), 'text.txt'), purpose: 'user_data' },
    { headers: { 'x-askd-simulate': 'upload-bytes-per-second=60000' } },
  );
  expect(performance.now() - startedAt).toBeGreaterThan(298);
  expect(await (await openai.files.content(file.id)).text()).toBe(text);
});
