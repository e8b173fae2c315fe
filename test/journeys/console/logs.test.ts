import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

test('the log is followed, filtered by request, paused and downloaded', async () => {
  const installation = install();
  const { page, errors, origin } = await openConsole(installation);
  await openScreen(page, 'Logs');
  const lines = page.getByRole('region', { name: 'Lines of the log' });
  await lines.getByText('daemon started').waitFor();

  const answer = await fetch(`${origin}/v1/nothing-here`);
  const id = answer.headers.get('x-request-id') ?? '';
  expect(id).toMatch(/^req_/);
  await lines.getByRole('button', { name: id }).click();
  await lines.getByText('daemon started').waitFor({ state: 'detached' });
  expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe(id);
  expect(await lines.locator('.log-line').count()).toBe(1);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ request_id: id, path: '/v1/nothing-here' });

  await page.getByRole('searchbox', { name: 'Filter' }).fill('');
  await page.getByRole('button', { name: 'Pause' }).click();
  const second = await fetch(`${origin}/v1/nothing-here`);
  await page.getByText(/paused; [1-9]\d* newer/).waitFor();
  const secondId = second.headers.get('x-request-id') ?? '';
  expect(await lines.getByText(secondId).count()).toBe(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await lines.getByText(secondId).waitFor();

  await page.getByLabel('Level').selectOption('error and above');
  await page.getByText('No line passes the filter.').waitFor();
  expect(errors).toEqual([]);
});
