import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';
import { expectHarmless, openWatched } from '../../helpers/watched-page.ts';

/** The model list of a daemon whose models have these names. */
function modelsNamed(names: readonly string[]) {
  const categories = ['embedding', 'rerank', 'moderation', 'translation', 'speech-to-text'];
  const data = categories.flatMap((category) =>
    names.map((id) => ({ id, category, capabilities: {}, local: { state: 'ready', artifact: id } })),
  );
  return { object: 'list', data };
}

async function openService(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Services' }).getByRole('link', { name }).click();
  await page.getByRole('form', { name }).waitFor();
  await page.getByText('This request as code').click();
}

test('hostile documents, categories and model names are shown as text', async () => {
  const { page, done } = await openWatched();
  const [line = ''] = HOSTILE_TEXTS;
  const lines = HOSTILE_TEXTS.map((text) => text.replaceAll('\n', ' '));
  await page.route('**/v1/models', (route) => route.fulfill({ json: modelsNamed(HOSTILE_TEXTS) }));
  await page.getByRole('link', { name: 'Playground' }).click();

  await page.route('**/v1/rerank', (route) =>
    route.fulfill({
      json: { results: HOSTILE_TEXTS.map((document, index) => ({ index, relevance_score: 0.5, document })) },
      headers: { 'x-askd-artifact': line },
    }),
  );
  await openService(page, 'Rerank');
  await page.getByLabel('Query').fill(line);
  await page.getByLabel('Documents', { exact: true }).fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Rank', exact: true }).click();
  await page
    .locator('.ranking li')
    .nth(HOSTILE_TEXTS.length - 1)
    .waitFor();
  await expectHarmless(page, done);

  const results = HOSTILE_TEXTS.map((category) => ({
    ...{ flagged: true, categories: { [category]: true }, category_scores: { [category]: 0.9 } },
  }));
  await page.route('**/v1/moderations', (route) =>
    route.fulfill({ json: { results, category_thresholds: {} } }),
  );
  await openService(page, 'Moderation');
  await page.getByRole('textbox', { name: 'Texts' }).fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page
    .locator('.moderated')
    .nth(lines.length - 1)
    .waitFor();
  await expectHarmless(page, done);

  const vector = { embedding: [1, 0] };
  await page.route('**/v1/embeddings', (route) => route.fulfill({ json: { data: lines.map(() => vector) } }));
  await openService(page, 'Embeddings');
  await page.getByLabel('Texts, one per line').fill(lines.join('\n'));
  await page.getByRole('button', { name: 'Embed', exact: true }).click();
  await page.locator('table.matrix').waitFor();
  await expectHarmless(page, done);
});

test('hostile translations are shown as text', async () => {
  const { page, done } = await openWatched();
  await page.route('**/v1/models', (route) => route.fulfill({ json: modelsNamed(HOSTILE_TEXTS) }));
  await page.getByRole('link', { name: 'Playground' }).click();
  const all = HOSTILE_TEXTS.join('\n');
  await page.route('**/v1/translate', (route) => route.fulfill({ json: { translated_text: all } }));
  await openService(page, 'Translation');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(all);
  await page.getByRole('button', { name: 'Translate', exact: true }).click();
  await page.getByRole('button', { name: 'Copy translation' }).waitFor();
  await expectHarmless(page, done);
});

test('hostile file names and hostile speech are shown as text', async () => {
  const { page, done } = await openWatched();
  await page.route('**/v1/models', (route) => route.fulfill({ json: modelsNamed(HOSTILE_TEXTS) }));
  await page.route('**/v1/audio/transcriptions', (route) => {
    const segments = HOSTILE_TEXTS.map((text, id) => ({
      ...{ type: 'transcript.text.segment', id, start: id, end: id + 1, text },
    }));
    const words = HOSTILE_TEXTS.map((word, id) => ({ word, start: id, end: id + 1 }));
    const text = HOSTILE_TEXTS.join('\n');
    const ended = { type: 'transcript.text.done', text, transcription: { language: text, words } };
    const events = [...segments, ended].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    return route.fulfill({ contentType: 'text/event-stream', body: `${events.join('')}data: [DONE]\n\n` });
  });
  await page.getByRole('link', { name: 'Playground' }).click();
  await openService(page, 'Transcription');
  for (const name of HOSTILE_TEXTS) {
    const file = { name, mimeType: 'audio/wav', buffer: Buffer.from('RIFF') };
    await page.getByLabel('Audio file').setInputFiles(file);
    await page.locator('.sound p[role=status]').waitFor();
    await expectHarmless(page, done);
  }
  await page.getByRole('button', { name: 'Transcribe', exact: true }).click();
  await page.getByText(`${HOSTILE_TEXTS.length} words with their times`).click();
  await expectHarmless(page, done);
});
