import { expect, test } from 'vitest';
import { openTab } from '../helpers/chromium.ts';
import { openScreen } from '../helpers/console.ts';
import { startDaemon } from '../helpers/daemon/daemon.ts';

async function startCheckout(amount: number) {
  const daemon = await startDaemon({ ASKD_PROFILE: 'hosted' });
  const reply = await daemon.call('POST', '/v1/wallet/top-up', { body: { amount } });
  const { checkout_url: url } = reply.json<{ checkout_url: string }>();
  const balance = async () =>
    (await daemon.call('GET', '/v1/wallet/balance')).json<{ balance: number }>().balance;
  return { daemon, url, balance, ...(await openTab()) };
}

test('a person opens a checkout, confirms it, and sees the balance change there and in the dashboard', async () => {
  const { daemon, page, errors, url, balance } = await startCheckout(100);
  await page.goto(url);
  await page.getByRole('row', { name: 'Amount 100.00 USD' }).waitFor();
  await page.getByRole('row', { name: 'Bonus 10.00' }).waitFor();
  await page.getByText('No money is charged').waitFor();
  expect(await balance()).toBe(0);
  await page.getByRole('button', { name: 'Add 110.00 credits' }).click();
  await page.getByText('The balance is now 110.00.').waitFor();
  expect(await balance()).toBe(110);

  const link = (await daemon.call('POST', '/api/login-codes')).json<{ login_url: string }>().login_url;
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  await openScreen(page, 'Wallet');
  await page.getByRole('row', { name: /Bonus for a top-up of 100\.00 10\.00 110\.00/ }).waitFor();
  expect(errors).toEqual([]);
});

test('a double click, the back button and a reload add nothing more', async () => {
  const { page, url, balance } = await startCheckout(25);
  await page.goto('about:blank');
  await page.goto(url);
  await page.getByRole('button', { name: 'Add 25.00 credits' }).dblclick();
  await page.getByText('The balance is now 25.00.').waitFor();
  await page.goBack();
  await page.goForward().catch(() => null);
  await page.goto(url);
  await page.getByText('The balance is now 25.00.').waitFor();
  await page.reload();
  await page.getByText('The balance is now 25.00.').waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  expect(await balance()).toBe(25);
});

test('two tabs on one checkout pay it once, and the second says that it is paid', async () => {
  const { page, url, balance } = await startCheckout(25);
  const second = await page.context().newPage();
  await page.goto(url);
  await second.goto(url);
  await page.getByRole('button', { name: 'Add 25.00 credits' }).click();
  await page.getByText('The balance is now 25.00.').waitFor();
  await second.getByRole('button', { name: 'Add 25.00 credits' }).click();
  await second.getByText('The balance is now 25.00.').waitFor();
  expect(await balance()).toBe(25);
});

test('a checkout that ran out while it was open says so and adds nothing', async () => {
  const { daemon, page, url, balance } = await startCheckout(25);
  await page.goto(url);
  daemon.services.store.prepare('UPDATE checkouts SET expires_at = 1').run();
  await page.getByRole('button', { name: 'Add 25.00 credits' }).click();
  await page.getByRole('heading', { name: 'This checkout has expired' }).waitFor();
  expect(await balance()).toBe(0);
});

test('both pages can be read in dark mode and used without a mouse', async () => {
  const { page, url, balance } = await startCheckout(10);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(url);
  const ground = 'getComputedStyle(document.body).backgroundColor';
  expect(await page.evaluate(ground)).toBe('rgb(21, 23, 26)');
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await page.evaluate(ground)).toBe('rgb(255, 255, 255)');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('10.00 credits were added').waitFor();
  expect(await balance()).toBe(10);
});
