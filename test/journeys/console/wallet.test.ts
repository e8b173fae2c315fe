import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillLedger } from '../../helpers/accounts/fill-ledger.ts';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

const ROWS = 10_000;
const ROWS_IN_PAGE_MAX = 60;
/** Only what would freeze the page: a busy machine also takes its time. */
const LONGEST_TASK_MS_MAX = 1_000;

test('a top-up is confirmed on its page, and the balance, the chart and the ledger follow', async () => {
  const { page, errors } = await openConsole(install());
  await openScreen(page, 'Wallet');
  await page.getByText('As a table').click();
  await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d 100\.00$/ }).waitFor();
  const drawn = () => page.evaluate<string>('document.querySelector("canvas").toDataURL()');
  const before = await drawn();

  await page.getByRole('button', { name: 'Top up' }).click();
  await page.getByRole('button', { name: '$100' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('row', { name: 'Credits 110.00' }).waitFor();
  const [payment] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open the payment page' }).click(),
  ]);
  await payment.getByRole('button', { name: 'Add 110' }).click();
  await payment.getByText('Credits added').waitFor();
  await payment.close();

  await page.getByText('The credits arrived. The balance is 210.00.').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d 210\.00$/ }).waitFor();
  expect(await drawn()).not.toBe(before);
  await page.getByRole('row', { name: /bonus Bonus for a top-up of 100\.00 10\.00 210\.00/ }).waitFor();
  expect(errors).toEqual([]);
});

test('rules and the tier are changed, and the command line sees it', async () => {
  const installation = install();
  const { page, errors } = await openConsole(installation);
  await openScreen(page, 'Wallet');
  await page.getByRole('button', { name: 'Change the rules' }).click();
  await page.getByLabel('Limit what a month may cost').check();
  await page.getByLabel('Credits a month').fill('40');
  await page.getByLabel('Notify when the balance is low').check();
  await page.getByLabel('When below').last().fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('40.00 a month, then block').waitFor();
  await page.getByText('below 5.00', { exact: true }).waitFor();
  const rules = (await installation.askd(['wallet', 'settings', '--json'])).json<object>();
  expect(rules).toMatchObject({ spending_limit: { enabled: true, monthly_limit: 40, action: 'block' } });

  await page.getByRole('button', { name: 'Change the tier' }).click();
  await page.getByLabel('Tier enterprise').check();
  await page.getByLabel('Requests a minute').fill('77');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('row', { name: 'Requests left this minute 77 of 77' }).waitFor();
  expect((await installation.askd(['account', 'tier', '--json'])).json()).toMatchObject({ rpm: 77 });
  await page.getByRole('button', { name: 'Change the tier' }).click();
  await page.getByLabel('Profile hosted').check();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('row', { name: 'Requests left this minute 10 of 10' }).waitFor();
  expect(errors).toEqual([]);
});

test('ten thousand transactions are scrolled with only a few in the page, searched and downloaded', async () => {
  const installation = install();
  await installation.askd(['up']);
  await installation.askd(['down']);
  const texts = Array.from({ length: ROWS }, (_, index) => `Refund number ${index}`);
  fillLedger(installation.home, texts);
  const { page, errors } = await openConsole(installation);
  await openScreen(page, 'Wallet');
  const ledger = page.getByRole('table', { name: 'Transactions' });
  await ledger.getByText('Refund number 9999').waitFor();
  const measured = await page.evaluate<Measured>(SCROLL);
  console.info(`scrolled ${ROWS} transactions: ${JSON.stringify(measured)}`);
  await ledger.getByText('Welcome to your own machine').waitFor();
  expect(measured.rowsMax).toBeLessThanOrEqual(ROWS_IN_PAGE_MAX);
  expect(measured.longestTaskMs).toBeLessThan(LONGEST_TASK_MS_MAX);

  await page.getByLabel('Text').fill('NUMBER 4321');
  await ledger.getByText('Refund number 4321').waitFor();
  expect(await ledger.getByRole('row').count()).toBe(2);
  await page.getByLabel('Text').fill('');
  await page.getByLabel('Type').selectOption('Bonus');
  await ledger.getByText('Welcome to your own machine').waitFor();
  await page.getByLabel('Type').selectOption('Refund');
  await ledger.getByText('Refund number 9999').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(
    readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n'),
  ).toHaveLength(ROWS + 1);
  expect(errors).toEqual([]);
});

test('a chart is read and zoomed with the keyboard and with a drag, for one key too', async () => {
  const installation = install();
  const made = await installation.askd(['keys', 'create', '--name', 'unused key', '--json']);
  expect(made.exitCode).toBe(0);
  await installation.askd(['chat', 'Hello']);
  const { page, errors } = await openConsole(installation);
  await openScreen(page, 'Usage');
  const chart = page.getByRole('application');
  const reset = page.getByRole('button', { name: 'Show everything' });
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText(/^\d{4}-\d\d-\d\d 00:00 UTC: svc-chat-v1 0\.00\d+$/).waitFor();
  expect(await reset.isDisabled()).toBe(true);
  await page.keyboard.press('+');
  await reset.click();
  expect(await reset.isDisabled()).toBe(true);
  const box = await page.locator('.u-over').boundingBox();
  const at = (share: number) => [(box?.x ?? 0) + (box?.width ?? 0) * share, (box?.y ?? 0) + 50] as const;
  await page.mouse.move(...at(0.3));
  await page.mouse.down();
  await page.mouse.move(...at(0.6), { steps: 4 });
  await page.mouse.up();
  await reset.click();

  await openScreen(page, 'API keys');
  await page.getByRole('link', { name: 'Usage of unused key' }).click();
  await page.getByText('Only the key unused key').waitFor();
  await page.getByText('No requests in this period.').waitFor();
  await page.getByRole('button', { name: 'Show all keys' }).click();
  await page.getByRole('row', { name: /^svc-chat-v1 0/ }).waitFor();
  expect(errors).toEqual([]);
});

type Measured = { frames: number; framesPerSecond: number; rowsMax: number; longestTaskMs: number };

/** Scrolls to the end, a page per frame, and waits there for more until there is no more. */
const SCROLL = `new Promise((resolve) => {
  const place = document.querySelector('.ledger');
  const tasks = [0];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: false });
  const started = performance.now();
  let frames = 0;
  let rowsMax = 0;
  const step = () => {
    frames += 1;
    rowsMax = Math.max(rowsMax, place.querySelectorAll('[role=row]').length);
    place.scrollTop += 300;
    const isOver = place.getAttribute('aria-rowcount') !== '-1' &&
      place.scrollTop + place.clientHeight >= place.scrollHeight - 1;
    if (!isOver) return requestAnimationFrame(step);
    const framesPerSecond = Math.round((frames / (performance.now() - started)) * 1000);
    resolve({ frames, framesPerSecond, rowsMax, longestTaskMs: Math.max(...tasks) });
  };
  requestAnimationFrame(step);
})`;
