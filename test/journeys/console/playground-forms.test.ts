import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsoleOf, openScreen } from '../../helpers/console.ts';
import { openEveryService } from '../../helpers/daemon/every-service.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { spoken, wavOf } from '../../helpers/models/sounds.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A form of the playground, opened as a person does. */
async function openService(page: Page, name: string): Promise<void> {
  await openScreen(page, 'Playground');
  await page.getByRole('navigation', { name: 'Services' }).getByRole('link', { name }).click();
  await page.getByRole('form', { name }).waitFor();
}

/** The line below a result, once the daemon has reported what it cost. */
const numbersOf = (page: Page) => page.locator('.numbers').filter({ hasText: 'credits' });

async function numbers(page: Page): Promise<string> {
  return (await numbersOf(page).textContent()) ?? '';
}

const LOOKS = [
  { width: 375, height: 720, colorScheme: 'light' as const },
  { width: 1920, height: 1000, colorScheme: 'dark' as const },
];

/** With whatever the form shows now. */
async function expectAccessible(page: Page): Promise<void> {
  for (const { colorScheme, ...size } of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${page.url()}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${page.url()} is wider than the window`).toBeLessThanOrEqual(0);
  }
}

/** The file that a button saves. */
async function saved(page: Page, button: string): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await coming).path());
}

test('embeddings, ranking, moderation and translation answer, and say what they cost', async () => {
  const daemon = await openEveryService();
  const { page, errors } = await openConsoleOf(daemon);

  await openService(page, 'Embeddings');
  expect(await page.title()).toBe('Embeddings – Playground – askd');
  await page.getByLabel('Texts, one per line').fill('create a key\nmake a new key\nthe weather');
  await page.keyboard.press('Control+Enter');
  await page.getByText('3 vectors of 1,024 dimensions').waitFor();
  const matrix = page.locator('table.matrix');
  expect(await matrix.locator('tbody tr').nth(1).locator('td').nth(1).textContent()).toBe('1.00');
  expect(await matrix.getByRole('rowheader', { name: '3 the weather' }).count()).toBe(1);
  expect(await numbers(page)).toMatch(/credits · [\d.]+ s · \d+ tokens in · starter-embed, cpu/);
  await expectAccessible(page);

  await openService(page, 'Rerank');
  await page.getByLabel('Query').fill('How do I create an API key?');
  await page.getByLabel('Documents', { exact: true }).fill('About soup\nCreate an API key: askd keys create');
  await page.getByLabel('Best results only').fill('1');
  await page.getByRole('button', { name: 'Rank' }).click();
  await page.getByText('The best 1 of 2, best first').waitFor();
  await page.getByText('Document 2').waitFor();
  await numbersOf(page).waitFor();
  await expectAccessible(page);

  await openService(page, 'Moderation');
  await page.getByRole('button', { name: 'Several texts' }).click();
  await page.getByText('2 of 3 flagged').waitFor();
  const first = page.locator('.moderated').first().getByRole('row').nth(1);
  expect(await first.textContent()).toMatch(/^harassment flagged0\.\d{4}0\.5$/);
  await expectAccessible(page);

  await openService(page, 'Translation');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello world.');
  await page.getByLabel('To', { exact: true }).fill('fr');
  await page.getByRole('button', { name: 'Translate' }).click();
  await page.locator('output').getByText('Bonjour le monde.').waitFor();
  await page.getByRole('button', { name: 'Swap the languages' }).click();
  expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe(
    'Bonjour le monde.',
  );
  await expectAccessible(page);

  const usage = await daemon.call('GET', '/api/usage?bucket=all&group_by=task');
  const { data } = usage.json<{ data: { task: string; requests: number }[] }>();
  expect(data.map(({ task }) => task).sort()).toEqual(['embed', 'moderate', 'rerank', 'translate']);

  await openService(page, 'Embeddings');
  expect(await page.getByLabel('Texts, one per line').inputValue()).toContain('the weather');
  expect(await matrix.count(), 'the result is kept while another tab was open').toBe(1);
  expect(errors).toEqual([]);
});

test('a form shows what the daemon refused', async () => {
  const { page } = await openConsoleOf(await startDaemon());
  await openService(page, 'Embeddings');
  await page.getByLabel('Texts, one per line').fill('one text');
  await page.getByLabel('Dimensions').fill('99999');
  await page.getByRole('button', { name: 'Embed', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/dimensions/)
    .waitFor();
});

test('a file and the microphone are transcribed, with word timestamps and subtitles', async () => {
  const daemon = await openEveryService();
  const microphone = join(temporaryFolder(), 'microphone.wav');
  writeFileSync(microphone, wavOf(spoken('hello world_____', 48_000), { rate: 48_000 }));
  const { page, errors } = await openConsoleOf(daemon, [
    ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    `--use-file-for-fake-audio-capture=${microphone}`,
  ]);
  await openService(page, 'Transcription');
  const buffer = wavOf(spoken('hello world'));
  await page.getByLabel('Audio file').setInputFiles({ name: 'hello.wav', mimeType: 'audio/wav', buffer });
  await page.locator('canvas.waveform').waitFor();
  await page.getByLabel('Word timestamps').check();
  await page.getByRole('button', { name: 'Transcribe' }).click();
  await page.getByText('2 words with their times').click();
  await page.getByRole('button', { name: 'world', exact: true }).click();
  expect(await page.evaluate("document.querySelector('audio').currentTime")).toBeGreaterThan(0);
  expect((await saved(page, 'Download SRT')).toString()).toMatch(
    /^1\n00:00:00,000 --> 00:00:01,\d{3}\nhello world\n\n$/,
  );
  expect((await saved(page, 'Download VTT')).toString()).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /);
  await numbersOf(page).waitFor();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Recording 0:02').waitFor();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByText(/^recording\.webm, \d+ KiB$/).waitFor();
  const answered = page.waitForResponse('**/v1/audio/transcriptions');
  await page.getByRole('button', { name: 'Transcribe' }).click();
  await answered;
  await numbersOf(page).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await numbers(page)).toMatch(/ s of audio · listener, cpu$/);
  expect(errors).toEqual([]);
});

test('a microphone that is not allowed is explained', async () => {
  const { page } = await openConsoleOf(await startDaemon());
  await openService(page, 'Transcription');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/The browser does not let this page use the microphone|This machine has no microphone/)
    .waitFor();
  await page.getByText('No model on this machine serves svc-whisper-v1').waitFor();
  await page.getByText('askd pull svc-whisper-v1').first().waitFor();
  const link = page.getByRole('form').getByRole('link', { name: 'Models' });
  expect(await link.getAttribute('href')).toBe('/dashboard/models');
  await expectAccessible(page);
});

test('speech plays in each format and is saved, in a voice that the model has', async () => {
  const { page, errors } = await openConsoleOf(await openEveryService());
  await openService(page, 'Speech');
  const voices = await page.getByLabel('Voice').locator('option').allTextContents();
  expect(voices).toContain('alloy (af_alloy)');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('hello. world.');
  for (const format of ['wav', 'pcm', 'mp3', 'aac', 'opus', 'flac']) {
    await page.getByLabel('Format').selectOption(format);
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByRole('button', { name: `Download speech.${format}` }).waitFor();
    const duration = await page.evaluate(DURATION);
    expect([format, duration]).toEqual([format, expect.any(Number)]);
    await numbersOf(page).waitFor();
  }
  await expectAccessible(page);
  await page.getByLabel('Format').selectOption('wav');
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  expect((await saved(page, 'Download speech.wav')).toString('latin1', 0, 4)).toBe('RIFF');
  expect(errors).toEqual([]);
});

/** Once the browser has decoded the sound. */
const DURATION = `new Promise((resolve) => {
  const audio = document.querySelector('.result audio');
  if (audio.readyState > 0) resolve(audio.duration);
  audio.onloadedmetadata = () => resolve(audio.duration);
  audio.onerror = () => resolve(audio.error.message);
})`;

test('images come step by step, one after another, and their seed repeats them', async () => {
  const { page, errors } = await openConsoleOf(await openEveryService());
  await openService(page, 'Images');
  await page.getByLabel('Size').selectOption('256x256');
  await page.getByLabel('How many').selectOption('2');
  await page.getByLabel('Previews').selectOption('1');
  await page.getByLabel('Seed', { exact: true }).fill('41');
  await page.getByRole('button', { name: 'A lighthouse' }).click();
  await page.getByText('Seed 42').waitFor();
  await page.getByText('Seed 41').waitFor();
  expect(await page.getByText('Preview', { exact: true }).count()).toBe(0);
  expect(await numbers(page)).toMatch(/^0\.04 credits/);
  await expectAccessible(page);
  const first = await saved(page, 'Download image-42.png');
  await page.getByRole('button', { name: 'Use seed 42' }).click();
  await page.getByRole('button', { name: 'Generate' }).click();
  await numbersOf(page).filter({ hasText: '0.02 credits' }).waitFor();
  expect((await saved(page, 'Download image-42.png')).equals(first)).toBe(true);
  expect(errors).toEqual([]);
});

test('a stopped request ends in the daemon, and shows what it cost until then', async () => {
  const daemon = await openEveryService();
  const { page } = await openConsoleOf(daemon);
  await openService(page, 'Speech');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('hello world. '.repeat(300));
  await page.getByRole('button', { name: 'Speak', exact: true }).click();
  await page.getByText(/KiB of audio so far/).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await numbersOf(page).filter({ hasText: 'Stopped' }).waitFor();
  await expect
    .poll(() => daemon.services.pool.status().every(({ busy }) => busy === 0), { timeout: 30_000 })
    .toBe(true);
});
