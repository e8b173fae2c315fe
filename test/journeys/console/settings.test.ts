import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

test('a setting is changed in the console, shown by the command line, put into effect and reset', async () => {
  const installation = install();
  const { page, errors, origin } = await openConsole(installation);
  installation.environment.ASKD_PORT = new URL(origin).port;
  await openScreen(page, 'Settings');
  await page.getByRole('button', { name: 'Change model_slots' }).click();
  await page.getByLabel('Value').fill('many');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/not valid for model_slots.* It must be a whole number from 1 to 64/).waitFor();
  await page.getByLabel('Value').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /model_slots.* 7 .*default 4.*file.*restart needed/ }).waitFor();
  const got = await installation.askd(['config', 'get', 'model_slots', '--json']);
  expect(got.json()).toMatchObject({ value: 7, source: 'file' });

  expect((await installation.askd(['restart'])).exitCode).toBe(0);
  await page.getByText('Restart needed', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Change model_slots' }).click();
  await page.getByRole('button', { name: 'Reset to the default' }).click();
  await page.getByText('Restart needed', { exact: true }).waitFor();
  expect((await installation.askd(['config', 'get', 'model_slots', '--json'])).json()).toMatchObject({
    source: 'default',
  });

  await page.getByLabel('Find').fill('allowed_hosts');
  await page.getByRole('button', { name: 'Change allowed_hosts' }).click();
  await page.getByText('a browser may not change it').waitFor();
  await page.getByText('askd config set allowed_hosts VALUE').waitFor();
  expect(await page.getByRole('dialog').getByRole('textbox').count()).toBe(0);
  expect(errors.filter((text) => !/422|400|ERR_|Failed to load/.test(text))).toEqual([]);
});

test('the overview leads a new person to a key, a request and a model, and says what the checks found', async () => {
  const installation = install({ ASKD_OFFLINE: 'true' });
  const { page, errors } = await openConsole(installation);
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('Make an API key').waitFor();
  await steps.getByText('Send a request').waitFor();
  await page
    .getByText(/All \d+ checks passed|warning|problem/)
    .first()
    .waitFor();
  const made = await installation.askd(['keys', 'create', '--name', 'app', '--json']);
  const { key } = made.json<{ key: string }>();
  await steps.getByText('Make an API key').waitFor({ state: 'detached' });
  const response = await fetch(new URL('/v1/chat/completions', page.url()), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc-chat-v1', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect(response.status).toBe(200);
  await steps.getByText('Send a request').waitFor({ state: 'detached' });
  await steps.getByText('Get a larger model.').waitFor();
  expect(errors).toEqual([]);
});
