import { AxeBuilder } from '@axe-core/playwright';
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTab } from '../helpers/chromium.ts';
import { install, type Installation } from '../helpers/daemon/installation.ts';

async function signIn({ askd }: Installation): Promise<{ page: Page; errors: string[]; origin: string }> {
  const { stdout: link } = await askd(['dashboard', '--no-open']);
  const { page, errors } = await openTab();
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  await page.getByText('Running').waitFor();
  return { page, errors, origin: new URL(link).origin };
}

const open = async (page: Page, name: string) => {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
};

test('a key made in the console is used by the openai package, shows its use, and is revoked', async () => {
  const { page, errors, origin } = await signIn(install());
  await open(page, 'API keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('my application');
  await page.getByLabel('Credits a month').fill('25');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secret = page.getByRole('dialog').locator('code').first();
  const apiKey = (await secret.textContent()) ?? '';
  expect(apiKey).toMatch(/^ask_/);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByText(apiKey).count()).toBe(0);

  const client = new OpenAI({ baseURL: `${origin}/v1`, apiKey, maxRetries: 0 });
  const request = { model: 'svc-chat-v1', messages: [{ role: 'user' as const, content: 'Hello' }] };
  const answer = await client.chat.completions.create(request);
  const tokens = answer.usage?.total_tokens ?? 0;
  await page.getByRole('row', { name: 'my application' }).getByText(`${tokens} tokens`).waitFor();

  await page.getByRole('button', { name: 'Edit my application' }).click();
  await page.getByLabel('Requests a minute').fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 requests a minute').waitFor();
  await client.chat.completions.create(request).catch(() => undefined);
  await expect(client.chat.completions.create(request)).rejects.toThrow(/allows 1 requests per minute/);

  await page.getByRole('button', { name: 'Revoke my application' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('No keys yet').waitFor();
  await expect(client.models.list()).resolves.toBeDefined();
  await expect(client.chat.completions.create(request)).rejects.toThrow(/401/);
  expect(errors).toEqual([]);
});

test('a chat of the playground streams, costs what the usage page shows, and is shown as code', async () => {
  const { page, errors } = await signIn(install());
  await open(page, 'Playground');
  await page.getByLabel('Tokens at most').fill('40');
  await page.getByLabel('Message', { exact: true }).fill('How do I create an API key?');
  await page.keyboard.press('Enter');
  await page.getByText('How do I create an API key?').waitFor();
  await page.getByText(/\d+ \+ \d+ tokens, /).waitFor();
  expect(await page.locator('.turn.assistant').textContent()).toContain('askd keys create');
  await page.getByText('This request as code').click();
  expect(await page.locator('pre.request').textContent()).toContain('"max_tokens": 40');

  await open(page, 'Usage');
  await page.getByLabel('By').selectOption('API key');
  await page.getByRole('row', { name: /^playground/ }).waitFor();
  await page.getByText('1 request)').waitFor();
  expect(errors).toEqual([]);
});

test('the console says that the daemon is gone, and goes on when it is back', async () => {
  const installation = install();
  const { page, origin } = await signIn(installation);
  process.kill(installation.daemonPid(), 'SIGKILL');
  await page.getByText('The daemon does not answer').waitFor();
  installation.environment.ASKD_PORT = new URL(origin).port;
  expect((await installation.askd(['up'])).exitCode).toBe(0);
  await page.getByText('The daemon does not answer').waitFor({ state: 'detached' });
  await page.getByText('Running', { exact: false }).first().waitFor();
  expect((await installation.askd(['session', 'revoke', '--all'])).exitCode).toBe(0);
  await page.reload();
  await page.getByText('You are signed out').waitFor();
});

test.each([
  { width: 375, height: 720, colorScheme: 'light' as const },
  { width: 1440, height: 900, colorScheme: 'dark' as const },
])('every screen keeps to WCAG AA at $width pixels, $colorScheme', async ({ colorScheme, ...size }) => {
  const installation = install();
  await installation.askd(['keys', 'create', '--name', 'an application', '--credits-per-month', '5']);
  await installation.askd(['chat', 'Hello']);
  const { page, errors } = await signIn(installation);
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  for (const name of ['Overview', 'Playground', 'API keys', 'Usage', 'Wallet', 'Sessions']) {
    await open(page, name);
    await page.locator('main .card').first().waitFor();
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0);
  }
  expect(errors).toEqual([]);
});
