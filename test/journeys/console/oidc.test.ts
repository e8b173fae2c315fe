import { expect, test } from 'vitest';
import { openAccount } from '../../helpers/accounts/other-accounts.ts';
import { openTab } from '../../helpers/chromium.ts';
import { openScreen } from '../../helpers/console.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { openProvider } from '../../helpers/servers/oidc/provider.ts';

const EMAIL = 'bo@example.com';

/** A daemon whose members sign in at a real provider, and an account on it with one member. */
async function openTeam(isVerified: boolean) {
  const provider = await openProvider({ email: EMAIL, isVerified });
  const daemon = await startDaemon(provider.env);
  const { asOwner } = await openAccount(daemon, 'acme');
  await asOwner('POST', '/api/account/members', { body: { name: 'bo', role: 'member', email: EMAIL } });
  const address = `http://127.0.0.1:${daemon.port}/login`;
  await provider.accept(address);
  const { page, errors } = await openTab();
  await page.goto(address);
  await page.getByRole('button', { name: `Sign in with ${new URL(provider.issuer).host}` }).click();
  return { page, errors, address };
}

test('a member signs in at a real provider in a browser, chats under their role, and signs out', async () => {
  const { page, errors, address } = await openTeam(true);
  await page.waitForURL('**/dashboard/**');
  await page.getByText('member of acme').waitFor();
  expect(await page.evaluate('document.cookie')).toBe('');
  const cookies = (await page.context().cookies(address)).map(({ name }) => name);
  expect(cookies.filter((name) => name.startsWith('askd_'))).toEqual([
    expect.stringMatching(/^askd_session_\d+$/),
  ]);
  await openScreen(page, 'Sessions');
  await page.getByRole('row', { name: /this one/ }).waitFor();
  expect(errors).toEqual([]);
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out').waitFor();
});

test('an address that the provider has not verified signs nobody in, and the page says why', async () => {
  const { page, address } = await openTeam(false);
  await page.getByText(`has not verified that ${EMAIL} is yours`).waitFor();
  expect(page.url()).toBe(address);
  expect(await page.getByRole('button', { name: 'Sign in with' }).isVisible()).toBe(true);
});
