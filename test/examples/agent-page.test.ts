import { expect, test } from 'vitest';
import { openTab } from '../helpers/chromium.ts';
import { commandsOf, openExamples } from '../helpers/examples.ts';

/** The page, served by the last of its commands on a free port. */
async function openPage() {
  const examples = await openExamples();
  const commands = commandsOf('agent-page/page.html');
  const serve = commands.at(-1)?.replace('8080', '0') ?? '';
  const port = await examples.start(serve).prints(/port (\d+)/);
  const origin = `http://127.0.0.1:${port}`;
  const prepare = commands.slice(0, -1).map((command) => command.replace('http://127.0.0.1:8080', origin));
  const { page, errors } = await openTab();
  await page.goto(`${origin}/page.html`);
  const ask = async (key = examples.key) => {
    const { base_url: baseURL } = (await examples.askd(['up', '--json'])).json<{ base_url: string }>();
    await page.getByLabel('Base URL').fill(baseURL);
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Ask' }).click();
  };
  return { ...examples, prepare, origin, page, errors, ask };
}

test('the page shows the steps, the answer and its source once its origin is allowed', async () => {
  const { run, prepare, page, errors, ask } = await openPage();
  for (const command of prepare) expect(await run(command)).toMatchObject({ exitCode: 0 });
  await ask();
  await page.getByText('Tandleby has 4100 inhabitants [1].').waitFor();
  const source = page.locator('#sources li');
  await source.waitFor();
  expect(await source.textContent()).toMatch(/tandleby\.txt “.*4100 inhabitants\.”/);
  expect(await page.locator('#steps li').allTextContents()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Searching: /),
      expect.stringMatching(/^docs: ok, /),
      'Writing the answer',
    ]),
  );
  expect(errors).toEqual([]);
});

test('the page says how to allow its origin, and what is wrong with a key', async () => {
  const { run, prepare, origin, page, ask } = await openPage();
  await ask();
  const command = `npx askd config add allowed_origins ${origin}`;
  await page.getByRole('alert').getByText(command).waitFor();
  expect(prepare).toContain(command);
  for (const each of prepare) await run(each);
  await ask('ask_wrong');
  await page.getByRole('alert').getByText('The API key is not valid').waitFor();
});
