import { AxeBuilder } from '@axe-core/playwright';
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { openConsole, openScreen, untilConnected } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

test('a key made in the console is used by the openai package, shows its use, and is revoked', async () => {
  const { page, errors, origin } = await openConsole(install());
  await openScreen(page, 'API keys');
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
  await expect(client.chat.completions.create(request)).rejects.toThrow(/401/);
  expect(errors).toEqual([]);
});

test('a chat of the playground streams, costs what the usage page shows, and is shown as code', async () => {
  const { page, errors } = await openConsole(install());
  await openScreen(page, 'Playground');
  await page.getByLabel('Tokens at most').fill('40');
  await page.getByLabel('Message', { exact: true }).fill('How do I create an API key?');
  await page.keyboard.press('Enter');
  await page.getByText('How do I create an API key?', { exact: true }).waitFor();
  await page.getByText(/^\d+ \+ \d+ tokens$/).waitFor();
  expect(await page.locator('.turn.assistant').textContent()).toContain('askd keys create');
  await page.getByText('This request as code').click();
  expect(await page.locator('pre.request').textContent()).toContain('"max_tokens": 40');

  await openScreen(page, 'Usage');
  await page.getByLabel('By').selectOption('API key');
  await page.getByRole('row', { name: /^playground 0/ }).waitFor();
  await page.getByText('1 request)').waitFor();
  expect(errors).toEqual([]);
});

test('the console says that the daemon is gone, and continues when it is back', async () => {
  const installation = install();
  const { page, origin } = await openConsole(installation);
  process.kill(installation.daemonPid(), 'SIGKILL');
  await page.getByText('The daemon does not answer').waitFor();
  installation.environment.ASKD_PORT = new URL(origin).port;
  expect((await installation.askd(['up'])).exitCode).toBe(0);
  await page.getByText('The daemon does not answer').waitFor({ state: 'detached' });
  await untilConnected(page);
  expect((await installation.askd(['session', 'revoke', '--all'])).exitCode).toBe(0);
  await page.reload();
  await page.getByText('You are signed out').waitFor();
});

test.each([
  { width: 375, height: 720, colorScheme: 'light' as const },
  { width: 1440, height: 900, colorScheme: 'dark' as const },
])(
  'every screen keeps to WCAG AA at $width pixels, $colorScheme',
  { timeout: 400_000 },
  async ({ colorScheme, ...size }) => {
    const installation = install();
    await installation.askd(['keys', 'create', '--name', 'an application', '--credits-per-month', '5']);
    await installation.askd(['chat', 'Hello']);
    const { page, errors } = await openConsole(installation);
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    const names = await page.locator('nav[aria-label=Main] a').allTextContents();
    for (const name of names) {
      await openScreen(page, name);
      await page.locator('main .card').first().waitFor();
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0);
    }
    expect(errors).toEqual([]);
  },
);

test('a theme is chosen with one button, and kept after a reload', async () => {
  const { page, errors } = await openConsole(install());
  await page.emulateMedia({ colorScheme: 'light' });
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  const light = await ground();
  await page.getByRole('button', { name: 'Theme: System' }).click();
  await page.getByRole('button', { name: 'Theme: Light' }).click();
  await page.getByRole('button', { name: 'Theme: Dark' }).waitFor();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Theme: Dark' }).click();
  await page.getByRole('button', { name: 'Theme: System' }).waitFor();
  expect(await ground()).toBe(light);
  expect(errors).toEqual([]);
});
