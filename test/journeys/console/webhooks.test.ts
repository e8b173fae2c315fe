import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { answers } from '../../helpers/servers/receiver.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';

const LOOPBACK = { ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };

test('a webhook is created, tested against its receiver, read, resent, rotated and deleted', async () => {
  const hook = await receiver({ behave: answers(500, {}, '<b>not today</b>') });
  const { page, errors } = await openConsole(install(LOOPBACK));
  await openScreen(page, 'Webhooks');
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByLabel('Name').fill('my receiver');
  await page.getByLabel('Address of the receiver').fill(hook.url);
  await page.getByRole('checkbox', { name: /api_key\.created/ }).check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const secretPlace = page.getByRole('dialog').getByText(/^whsec_/);
  const secret = (await secretPlace.textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.getByText(secret).count()).toBe(0);

  await page.getByRole('button', { name: 'my receiver' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/It did not arrive: status 500 after \d+ ms/).waitFor();
  await page.getByRole('button', { name: 'Show the delivery' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('<b>not today</b>', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Body of the request').textContent()).toContain('"webhook.test"');

  hook.behaves(answers(204));
  await dialog.getByRole('button', { name: 'Resend now' }).click();
  await dialog.getByText('2 attempts').waitFor();
  await dialog.getByText('status 204').waitFor();
  const [first, second] = hook.deliveries;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: /webhook\.test .*delivered 2/ }).waitFor();

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByText(/every delivery is signed with the old secret too/).waitFor();
  const next = (await secretPlace.textContent()) ?? '';
  expect(next).not.toBe(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText(/It arrived: status 204/).waitFor();
  const last = hook.deliveries.at(-1);
  for (const each of [secret, next]) {
    new StandardWebhook(each).verify(last?.body ?? '', last?.headers ?? {});
  }

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No webhooks yet').waitFor();
  expect(errors).toEqual([]);
});

test('an event is triggered, a pause holds it back, and the deliveries are filtered', async () => {
  const hook = await receiver();
  const installation = install(LOOPBACK);
  const made = await installation.askd([
    'webhooks',
    'add',
    hook.url,
    '--events',
    'chat.completed',
    '--name',
    'r',
  ]);
  expect(made.exitCode).toBe(0);
  const { page, errors } = await openConsole(installation);
  await openScreen(page, 'Webhooks');
  const trigger = async () => {
    await page.getByRole('button', { name: 'Trigger an event' }).click();
    await page.getByRole('button', { name: 'Trigger', exact: true }).click();
    await page.getByText('Triggered evt_').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
  };
  await trigger();
  await page.getByRole('button', { name: 'r', exact: true }).click();
  await page.getByRole('row', { name: /chat\.completed .*delivered 1/ }).waitFor();
  expect(hook.types()).toEqual(['chat.completed']);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Events wait for a day').waitFor();
  await page.getByRole('button', { name: '← All webhooks' }).click();
  await trigger();
  await page.getByRole('button', { name: 'r', exact: true }).click();
  await page.getByLabel('State').selectOption('Pending');
  await page.getByRole('row', { name: /chat\.completed .*pending 0/ }).waitFor();
  expect(await page.getByRole('row', { name: /delivered/ }).count()).toBe(0);

  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('None.', { exact: true }).waitFor();
  expect(hook.types()).toEqual(['chat.completed', 'chat.completed']);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Name').fill('renamed');
  await page.getByRole('checkbox', { name: /chat\.completed/ }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Choose at least one event.').waitFor();
  await page.getByRole('checkbox', { name: /usage\.limit_reached/ }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'renamed', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('0 events are queued.').waitFor();
  expect(errors).toEqual([]);
});
