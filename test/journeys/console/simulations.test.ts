import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

const ROUTE = 'POST /v1/chat/completions';

test('a test key gets rules of simulated trouble, and the log marks the requests', async () => {
  const { page, errors, origin } = await openConsole(install());
  await openScreen(page, 'API keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('tests');
  await page.getByLabel('For tests').check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = page.getByRole('dialog', { name: 'The key of tests' });
  const key = (await secret.locator('code').first().textContent()) ?? '';
  await secret.getByRole('button', { name: 'Done' }).click();
  const ask = () =>
    fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'missing', messages: [{ role: 'user', content: 'Hello' }] }),
    });

  await page.getByRole('row', { name: /^tests test / }).waitFor();
  await page.getByRole('button', { name: 'Simulate trouble for tests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Simulated trouble of tests' });
  await dialog.getByText('No rules.').waitFor();
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await dialog.getByText(/Nothing is requested/).waitFor();
  await dialog.getByLabel('Every nth request').fill('2');
  await dialog.getByLabel('Error', { exact: true }).fill('overload');
  await dialog.getByLabel('Retry after, seconds').fill('7');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  const rule = dialog.getByRole('row', { name: `${ROUTE} one in 2 error queue_full, retry_after 7 0` });
  await rule.waitFor();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);

  const first = await ask();
  const second = await ask();
  expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([404, 503, '7']);
  expect(second.headers.get('x-askd-simulated')).toBe('error=queue_full; retry-after=7');
  await rule.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByText('No rules.').waitFor();
  await ask();
  expect((await ask()).status).toBe(404);
  await dialog.getByRole('button', { name: 'Close' }).click();

  await openScreen(page, 'Logs');
  await page
    .getByRole('searchbox', { name: 'Filter' })
    .fill(second.headers.get('x-request-id') ?? 'no request');
  const marked = page.locator('.log-line').filter({ hasText: '/v1/chat/completions' });
  await marked.locator('.badge', { hasText: 'simulated: error=queue_full; retry-after=7' }).waitFor();
  await page.getByRole('searchbox', { name: 'Filter' }).fill(first.headers.get('x-request-id') ?? 'none');
  await page.locator('.log-line').filter({ hasText: '404' }).waitFor();
  expect(await page.locator('.log-line .badge').count()).toBe(0);
  // The browser notes the rule that asked for nothing.
  expect(errors).toEqual([expect.stringContaining('400 (Bad Request)')]);
});

test('a key that is not a test key has no rules', async () => {
  const installation = install();
  await installation.askd(['keys', 'create', '--name', 'an application']);
  const { page } = await openConsole(installation);
  await openScreen(page, 'API keys');
  await page.getByRole('button', { name: 'Edit an application' }).waitFor();
  expect(await page.getByRole('button', { name: /^Simulate/ }).count()).toBe(0);
});
