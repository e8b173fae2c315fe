import { expect, test } from 'vitest';
import { openTab } from '../../helpers/chromium.ts';
import { untilConnected } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

test('a person opens the dashboard from the command line, sees the account and signs out', async () => {
  const { askd } = install();
  const { key_prefix: prefix } = (await askd(['keys', 'create', '--name', '<b>app</b>', '--json'])).json<{
    key_prefix: string;
  }>();
  const shown = await askd(['dashboard', '--no-open']);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#askcode_[\w-]{43}$/);

  const { page, errors } = await openTab();
  await page.goto(shown.stdout);
  await page.waitForURL('**/dashboard');
  await untilConnected(page);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell', { name: `${prefix}…` }).waitFor();
  expect(await page.getByRole('cell', { name: '<b>app</b>', exact: true }).count()).toBe(1);
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('row', { name: /this one/ }).waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await page.evaluate('location.hash')).toBe('');

  const other = (await askd(['session', 'create', '--json'])).json<{ id: string; cookie: string }>();
  await page.reload();
  await page.getByRole('button', { name: /^End: command line/ }).click();
  await page.getByRole('row', { name: /command line/ }).waitFor({ state: 'detached' });
  expect((await askd(['session', 'revoke', other.id])).exitCode).toBe(5);
  expect(errors).toEqual([]);

  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('askd dashboard').waitFor();
  await page.getByRole('table').waitFor({ state: 'detached' });
  expect(await page.context().cookies()).toEqual([]);
  expect(await page.getByRole('table').count()).toBe(0);
});

test('a login link that was used, or has no code, says what to do', async () => {
  const { askd } = install();
  const { stdout: link } = await askd(['dashboard', '--no-open']);
  const first = await openTab();
  await first.page.goto(link);
  await first.page.waitForURL('**/dashboard');
  const second = await openTab();
  await second.page.goto(link);
  await second.page.getByText('This login link has already been used').waitFor();
  await second.page.goto(new URL('/login', link).href);
  await second.page.getByText('run this on the daemon’s machine: askd dashboard').waitFor();
  await second.page.goto(new URL('/', link).href);
  await second.page.getByText('You are signed out').waitFor();
});

test('a page on another port of this machine can neither read nor write using the dashboard’s cookie', async () => {
  const { askd } = install();
  const other = install();
  const { stdout: link } = await askd(['dashboard', '--no-open']);
  const { stdout: otherLink } = await other.askd(['dashboard', '--no-open']);
  const { page } = await openTab();
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  // Any page of the other port will do; its policy is disabled so that only the daemon's own checks count.
  await page.route(`${new URL(otherLink).origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>elsewhere</title>' }),
  );
  await page.goto(new URL('/elsewhere', otherLink).href);
  const target = new URL('/api/keys', link).href;
  const attempt = (init: object) =>
    page.evaluate(
      async ([url, options]) => {
        try {
          const response = await fetch(url as string, options as object);
          return `${response.type} ${response.status}`;
        } catch {
          return 'refused';
        }
      },
      [target, { credentials: 'include', ...init }],
    );
  expect(await attempt({})).toBe('refused');
  expect(await attempt({ mode: 'no-cors' })).toBe('refused');
  const form = { method: 'POST', body: '{"name":"forged"}', headers: { 'content-type': 'text/plain' } };
  expect(await attempt({ mode: 'no-cors', ...form })).toBe('refused');
  const json = { ...form, headers: { 'content-type': 'application/json' } };
  expect(await attempt(json)).toBe('refused');
  expect((await askd(['keys', 'list'])).stdout).not.toContain('forged');
});
