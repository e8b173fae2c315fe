import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsoleOf, openScreen } from '../../helpers/console.ts';
import { openEveryService } from '../../helpers/daemon/every-service.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

/** A form of the playground, reached as a person reaches it. */
async function openService(page: Page, name: string): Promise<void> {
  await openScreen(page, 'Playground');
  await page.getByRole('navigation', { name: 'Services' }).getByRole('link', { name }).click();
  await page.getByRole('form', { name }).waitFor();
}

/** The line below a result, once the daemon has told what it cost. */
const numbersOf = (page: Page) => page.locator('.numbers').filter({ hasText: 'credits' });

async function numbers(page: Page): Promise<string> {
  return (await numbersOf(page).textContent()) ?? '';
}

test('embeddings, ranking, moderation and translation answer, and say what they cost', async () => {
  const daemon = await openEveryService();
  const { page, errors } = await openConsoleOf(daemon);

  await openService(page, 'Embeddings');
  expect(await page.title()).toBe('Embeddings – Playground – askd');
  await page.getByLabel('Texts, one on each line').fill('create a key\nmake a new key\nthe weather');
  await page.keyboard.press('Control+Enter');
  await page.getByText('3 vectors of 1,024 dimensions').waitFor();
  const matrix = page.locator('table.matrix');
  expect(await matrix.locator('tbody tr').nth(1).locator('td').nth(1).textContent()).toBe('1.00');
  expect(await matrix.getByRole('rowheader', { name: '3 the weather' }).count()).toBe(1);
  expect(await numbers(page)).toMatch(/credits · [\d.]+ s · \d+ tokens in · starter-embed, cpu/);

  await openService(page, 'Rerank');
  await page.getByLabel('Query').fill('How do I create an API key?');
  await page.getByLabel('Documents', { exact: true }).fill('About soup\nCreate an API key: askd keys create');
  await page.getByLabel('Best results only').fill('1');
  await page.getByRole('button', { name: 'Rank' }).click();
  await page.getByText('The best 1 of 2, best first').waitFor();
  await page.getByText('Document 2').waitFor();
  await numbersOf(page).waitFor();

  await openService(page, 'Moderation');
  await page.getByRole('button', { name: 'Several texts' }).click();
  await page.getByText('2 of 3 flagged').waitFor();
  const first = page.locator('.moderated').first().getByRole('row').nth(1);
  expect(await first.textContent()).toMatch(/^harassment flagged0\.\d{4}0\.5$/);

  await openService(page, 'Translation');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Hello world.');
  await page.getByLabel('To', { exact: true }).fill('fr');
  await page.getByRole('button', { name: 'Translate' }).click();
  await page.locator('output').getByText('Bonjour le monde.').waitFor();
  await page.getByRole('button', { name: 'Swap the languages' }).click();
  expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe(
    'Bonjour le monde.',
  );

  const usage = await daemon.call('GET', '/api/usage?bucket=all&group_by=task');
  const { data } = usage.json<{ data: { task: string; requests: number }[] }>();
  expect(data.map(({ task }) => task).sort()).toEqual(['embed', 'moderate', 'rerank', 'translate']);

  await openService(page, 'Embeddings');
  expect(await page.getByLabel('Texts, one on each line').inputValue()).toContain('the weather');
  expect(await matrix.count(), 'the result is kept while another tab was open').toBe(1);
  expect(errors).toEqual([]);
});

test('a form says what the daemon refused', async () => {
  const { page } = await openConsoleOf(await startDaemon());
  await openService(page, 'Embeddings');
  await page.getByLabel('Texts, one on each line').fill('one text');
  await page.getByLabel('Dimensions').fill('99999');
  await page.getByRole('button', { name: 'Embed', exact: true }).click();
  await page
    .getByRole('alert')
    .getByText(/dimensions/)
    .waitFor();
});
