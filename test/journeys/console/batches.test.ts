import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { linesOf, requests, toBatchLines } from '../../helpers/daemon/batches.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A question that is never answered keeps its batch open. */
const SCRIPT = {
  rules: [
    { when: { contains: 'later' }, answer: { error: { code: 'queue_full', message: 'Everybody is busy.' } } },
    {
      when: { contains: 'wrong' },
      answer: { error: { code: 'context_length_exceeded', message: '<b>long</b>' } },
    },
    { answer: { text: 'Done.' } },
  ],
};

function open() {
  const script = join(temporaryFolder(), 'answers.json');
  writeFileSync(script, JSON.stringify(SCRIPT));
  return openConsole(install({ ASKD_SCRIPTED_ANSWERS: script }));
}

function fileOf(...contents: string[]): string {
  const path = join(temporaryFolder(), 'requests.jsonl');
  const bodies = contents.map((content) => ({ model: 'scripted', messages: [{ role: 'user', content }] }));
  writeFileSync(path, linesOf(requests('/v1/chat/completions', bodies)));
  return path;
}

async function create(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Create batch' }).click();
  await page.getByLabel('File of requests').setInputFiles(path);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
}

async function download(page: Page, name: string): Promise<string> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return readFileSync(await (await downloading).path(), 'utf8');
}

test('a batch is created from a file, followed to its end, and its results are downloaded', async () => {
  const { page, errors } = await open();
  await openScreen(page, 'Batches');
  await page.getByText('No batches yet').waitFor();
  await create(page, fileOf('now', 'wrong', 'now'));
  const batch = page.getByRole('region', { name: 'Batch' });
  await batch.getByText('completed', { exact: true }).waitFor();
  await batch.getByText('2 of 3, 1 failed').waitFor();
  expect(await batch.getByRole('row', { name: 'Cost so far' }).textContent()).toMatch(
    /0\.0*[1-9]\d* credits/,
  );
  expect(await batch.getByRole('row', { name: 'Key' }).textContent()).toContain('playground');
  const failed = page.getByRole('region', { name: 'Requests that failed' });
  await failed.getByRole('row', { name: /line-2 400 <b>long<\/b> context_length_exceeded/ }).waitFor();
  const answers = toBatchLines(await download(page, 'Download the answers'));
  expect(answers.map(({ custom_id }) => custom_id)).toEqual(['line-1', 'line-3']);
  const wrong = toBatchLines(await download(page, 'Download what failed'));
  expect(wrong.map(({ custom_id }) => custom_id)).toEqual(['line-2']);

  await page.getByRole('button', { name: '← All batches' }).click();
  await page.getByRole('row', { name: /batch_\w+ .*scripted completed .*2 of 3, 1 failed/ }).waitFor();
  expect(errors).toEqual([]);
});

test('a waiting batch says for what, shows what failed so far, and is cancelled', async () => {
  const { page, errors } = await open();
  await openScreen(page, 'Batches');
  await create(page, fileOf('now', 'wrong', 'later'));
  const batch = page.getByRole('region', { name: 'Batch' });
  await batch.getByText('Everybody is busy.').waitFor();
  await page.getByRole('row', { name: /line-2 400/ }).waitFor();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the batch' }).click();
  await batch.getByText('cancelled', { exact: true }).waitFor();
  await batch.getByText('1 of 3, 1 failed').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test('a mistake in a file is reported with its line, and a file that is not a batch is not uploaded', async () => {
  const { page, errors } = await open();
  await openScreen(page, 'Batches');
  const path = fileOf('now');
  writeFileSync(path, `${readFileSync(path, 'utf8')}{oops\n`);
  await create(page, path);
  const reasons = page.getByRole('region', { name: 'Why it failed' });
  await reasons.getByText('Line 2: This line is not a JSON object on one line.').waitFor();
  await page.getByRole('button', { name: '← All batches' }).click();
  writeFileSync(path, 'hello\n');
  await create(page, path);
  await page.getByText('The first line of this file is not a request.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByRole('row', { name: /batch_/ }).count()).toBe(1);
  expect(errors).toEqual([]);
});
