import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { openAccount } from '../../helpers/accounts/other-accounts.ts';
import { openTab } from '../../helpers/chromium.ts';
import { openConsoleOf, openScreen } from '../../helpers/console.ts';
import { daemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { removeHome } from '../../helpers/temporary.ts';

/** A daemon that answers every chat with the same words, and an account on it with one owner. */
async function openTeam() {
  const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
  onTestFinished(() => removeHome(folder));
  const script = join(folder, 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'The answer is here.' } }] }));
  const daemon = await daemonWith({}, { ASKD_SCRIPTED_ANSWERS: script });
  daemon.services.library.bind('svc-chat-v1', 'scripted');
  const { asOwner } = await openAccount(daemon, 'acme');
  await asOwner('POST', '/api/account/members', { body: { name: 'ada', role: 'owner' } });
  const reply = await asOwner('POST', '/api/account/members/ada/login-link');
  return { daemon, link: reply.json<{ login_url: string }>().login_url };
}

/** Opens a link as its receiver does, in a browser of their own. */
async function signIn(daemon: ChatDaemon, link: string) {
  const { page, errors } = await openTab();
  await page.goto(`http://127.0.0.1:${daemon.port}/login${new URL(link).hash}`);
  await page.waitForURL('**/dashboard/**');
  await page.getByText('Running').waitFor();
  return { page, errors };
}

const screensOf = (page: Page) => page.locator('nav[aria-label=Main] a').allTextContents();

async function openAll(page: Page): Promise<void> {
  for (const name of await screensOf(page)) {
    await openScreen(page, name);
    await page.waitForLoadState('networkidle');
  }
}

test('an owner lets a member in, who chats in the console and sees the screens of their role', async () => {
  const { daemon, link } = await openTeam();
  const ada = await signIn(daemon, link);
  await ada.page.getByText('owner of acme').waitFor();
  await openAll(ada.page);
  await openScreen(ada.page, 'Members');
  await ada.page.getByRole('button', { name: 'Add a member' }).click();
  await ada.page.getByLabel('Name').fill('bo');
  await ada.page.getByRole('button', { name: 'Add', exact: true }).click();
  await ada.page.getByRole('button', { name: 'Login link for bo' }).click();
  const secret = ada.page.getByRole('dialog').locator('code');
  const bo = await signIn(daemon, (await secret.textContent()) ?? '');
  await ada.page.getByRole('button', { name: 'Done' }).click();

  await bo.page.getByText('member of acme').waitFor();
  expect(await screensOf(bo.page)).toEqual(['Playground', 'Agent', 'API keys', 'Sessions']);
  await openAll(bo.page);
  await openScreen(bo.page, 'Playground');
  await bo.page.getByLabel('Message', { exact: true }).fill('Where is it?');
  await bo.page.keyboard.press('Enter');
  await bo.page.getByText('The answer is here.', { exact: true }).waitFor();

  await ada.page.getByLabel('Role of bo').selectOption('billing');
  await expect.poll(() => ada.page.getByLabel('Role of bo').inputValue()).toBe('billing');
  await expect.poll(() => ada.page.getByLabel('Role of bo').isEnabled()).toBe(true);
  await bo.page.reload();
  await bo.page.getByText('billing of acme').waitFor();
  expect(await screensOf(bo.page)).toEqual(['Usage', 'Wallet', 'Sessions']);
  await openAll(bo.page);
  expect({ ada: ada.errors, bo: bo.errors }).toEqual({ ada: [], bo: [] });

  await ada.page.getByRole('button', { name: 'Remove bo' }).click();
  await ada.page.getByRole('button', { name: 'Remove', exact: true }).click();
  await ada.page.getByRole('row', { name: /^bo/ }).waitFor({ state: 'detached' });
  await bo.page.reload();
  await bo.page.getByText('You are signed out').waitFor();
});

test('the last owner remains an owner, and the page says why', async () => {
  const { daemon, link } = await openTeam();
  const { page } = await signIn(daemon, link);
  await openScreen(page, 'Members');
  await page.getByLabel('Role of ada').selectOption('billing');
  await page.getByText('ada is the last owner of the account.').waitFor();
  await expect.poll(() => page.getByLabel('Role of ada').inputValue()).toBe('owner');
});

test('the owner of a machine without members sees nothing about members', async () => {
  const { daemon } = await openTeam();
  const { page, errors } = await openConsoleOf(daemon);
  expect(await screensOf(page)).toEqual(expect.arrayContaining(['Overview', 'Models', 'Settings']));
  expect(await screensOf(page)).not.toContain('Members');
  expect(await page.getByText('of default').count()).toBe(0);
  expect(errors).toEqual([]);
});
