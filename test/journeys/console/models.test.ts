import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';
const ID = `hf:${REPO}/tiny-Q4_K_M.gguf`;
const LONG = { timeout: 240_000 };

/** The models screen with a hub that has one tiny model. */
async function openModels({ licence }: { licence?: string } = {}) {
  const hub = await startHub();
  const content = readFileSync((await scriptedModel('From the hub.')).path);
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': content }, licence);
  const installation = install({
    ...hub.environment(temporaryFolder()),
    ASKD_DOWNLOAD_PART_BYTES: '8192',
    ASKD_DOWNLOAD_CONNECTIONS: '1',
  });
  const opened = await openConsole(installation);
  await openScreen(opened.page, 'Models');
  return { ...opened, ...installation, hub, content };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Models' }).getByText(name).click();

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
}

test('a model of the hub is found, pulled, paused, resumed to its end and removed', LONG, async () => {
  const { page, errors, hub, content } = await openModels();
  await tab(page, 'Catalogue and hub');
  await page.getByLabel('Search the hub, or name a repository').fill('tiny');
  await button(page, 'Search').click();
  await page.getByText('1 models found').waitFor();
  // The header is read before.
  const headerBytes = Math.min(65_536, content.length);
  hub.holdAfter(headerBytes + 20_000);
  await button(page, `Download ${REPO}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  const download = page.getByRole('article', { name: ID });
  await download.getByText(/KB of [\d.]+ KB/).waitFor();
  await expect
    .poll(async () => Number(await download.getByRole('progressbar').getAttribute('value')), LONG)
    .toBeGreaterThan(8192);

  await download.getByRole('button', { name: 'Pause' }).click();
  await download.getByText(/^Paused at/).waitFor();
  await expectAccessible(page);
  await page.reload();
  await download.getByText(/^Paused at/).waitFor();
  hub.holdAfter(Infinity);
  await download.getByRole('button', { name: 'Resume' }).click();
  await download.getByText('done').waitFor();
  expect(hub.served.reduce((sum, { start, end }) => sum + end - start, 0)).toBeLessThan(
    headerBytes + content.length + 16_384,
  );

  await tab(page, 'On this machine');
  await button(page, `Open ${ID}`).click();
  const detail = page.getByRole('dialog');
  await detail.getByText('Files (1)').click();
  await detail.getByText(/sha256:/).waitFor();
  await detail.getByText(/estimated from its file/).waitFor();
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Remove' }).click();
  await detail.getByText(/are deleted where nothing else uses them/).waitFor();
  await detail.getByRole('button', { name: 'Remove' }).click();
  await page.getByText(/^Freed [\d.]+ KB/).waitFor();
  await button(page, 'Done').click();
  await button(page, `Open ${ID}`).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
});

test('a licence that restricts use is shown and accepted before anything is downloaded', LONG, async () => {
  const { page, hub } = await openModels({ licence: 'llama3.1' });
  await tab(page, 'Catalogue and hub');
  await page.getByLabel('Search the hub, or name a repository').fill(`hf:${REPO}`);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await dialog.getByText('has the licence "llama3.1"').waitFor();
  expect(hub.served).toEqual([]);
  await dialog.getByLabel('I have read its licence and accept it').check();
  await dialog.getByRole('button', { name: 'Download' }).click();
  await page.getByRole('article', { name: ID }).getByText('done').waitFor();
});

test('a failed download says why, and is retried', LONG, async () => {
  const { page, hub } = await openModels();
  // The header comes as it is.
  hub.fail(/store.*tiny/, { kind: 'drip', bytesPerSecond: 1e9 });
  hub.fail(/store.*tiny/, { kind: 'wrong-bytes' }, 1000);
  await tab(page, 'Catalogue and hub');
  await page.getByLabel('Search the hub, or name a repository').fill(`hf:${REPO}`);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
  const download = page.getByRole('article', { name: ID });
  await download.getByText(/failed verification twice/).waitFor();
  await download.getByRole('button', { name: 'Download again' }).waitFor();
});

test('a file is imported, bound with an alias, loaded, pinned, kept and unloaded', LONG, async () => {
  const { page, errors, askd } = await openModels();
  const { path } = await scriptedModel('Imported.');
  await button(page, 'Import a file').click();
  await page.getByLabel('Path').fill('/nowhere/model.gguf');
  await page.getByLabel('Name here').fill('mine');
  await button(page, 'Import').click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('Path').fill(path);
  await button(page, 'Import').click();
  await button(page, 'Open mine').click();
  await button(page, 'Add an alias').click();
  await page.getByLabel('Alias').fill('gpt-4o-mini');
  await button(page, 'Add').click();
  await page.getByRole('dialog').getByText('gpt-4o-mini').waitFor();
  await button(page, 'Bind to a service').click();
  await page.getByRole('combobox', { name: 'Service' }).selectOption('svc-chat-v1');
  await button(page, 'Bind').click();
  await page.getByRole('dialog', { name: 'mine', exact: true }).getByText('svc-chat-v1').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('article', { name: 'svc-chat-v1' }).getByText('Served by mine').waitFor();
  expect((await askd(['chat', 'hi', '--model', 'gpt-4o-mini'])).stdout).toContain('Imported.');

  // Checking the import would load it again.
  const checked = page.getByRole('row', { name: /^mine / }).getByText(/^(works|weak|broken|not known)$/);
  await checked.waitFor({ timeout: 120_000 });
  const loaded = page.getByRole('region', { name: 'In memory' }).getByRole('article', { name: 'mine' });
  await loaded.getByText('loaded', { exact: true }).waitFor();
  await loaded.getByRole('button', { name: 'Pin', exact: true }).click();
  await loaded.getByText('pinned', { exact: true }).waitFor();
  await loaded.getByLabel('Keep mine in memory when idle').selectOption('2h');
  await loaded.getByText('pinned', { exact: true }).waitFor({ state: 'detached' });
  await loaded.getByRole('button', { name: 'Unload mine from memory' }).click();
  await loaded.waitFor({ state: 'detached' });
  await button(page, 'Load mine').click();
  await loaded.getByText('loaded', { exact: true }).waitFor();
  // The path that does not exist.
  expect(errors).toEqual([expect.stringMatching(/status of 404/)]);
});

test('the catalogue says what fits and why, and the bench measures a model and its cost', LONG, async () => {
  const { page, errors } = await openModels();
  await tab(page, 'Catalogue and hub');
  await page.getByLabel('Search the catalogue').fill('sd-turbo');
  const entry = page.getByRole('article', { name: 'sd-turbo' });
  await entry.getByText(/Free for research, personal use/).waitFor();
  await entry.getByText(/about [\d.]+ GB/).waitFor();
  await entry.getByText('never compared with the hub').waitFor();
  await page.getByText(/^Catalogue \d+ of \d{4}-\d\d-\d\d, the one that came with this askd\./).waitFor();
  expect(await page.getByRole('region', { name: 'Catalogue' }).getByRole('article').count()).toBe(1);
  await button(page, 'Download sd-turbo').click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(false);
  await dialog.getByRole('link', { name: /^Read the licence/ }).waitFor();
  await page.keyboard.press('Escape');

  await tab(page, 'Engines');
  await page.getByRole('article', { name: 'vision' }).waitFor();
  await tab(page, 'Bench');
  await button(page, 'Measure').click();
  const numbers = page.getByRole('row', { name: /^4 streams/ });
  await numbers
    .getByText(/tokens\/s/)
    .first()
    .waitFor({ timeout: 120_000 });
  await page.getByText(/^Cost: [\d.]+ credits for 7 requests\./).waitFor();
  const [prompt = 0] = ((await numbers.getByRole('cell').last().textContent()) ?? '')
    .split(' + ')
    .map(Number);
  expect(prompt).toBeGreaterThan(300);
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test(
  'the models that suit this machine are recommended, with their speed once it is measured',
  LONG,
  async () => {
    const { page, errors } = await openModels();
    await openScreen(page, 'Overview');
    await page.getByRole('link', { name: 'See what suits this machine' }).click();
    const recommended = page.getByRole('region', { name: 'Recommended for this machine' });
    const embedder = recommended.getByRole('row', { name: /^svc-embed-v1/ });
    await embedder.getByText('–').waitFor();
    await button(page, 'Measure this machine').click();
    await recommended.getByText(/by the speed measured on/).waitFor({ timeout: 200_000 });
    await recommended.getByRole('row', { name: /^svc-chat-v1 .* [\d.]+ Download/ }).waitFor();
    await recommended.getByRole('button', { name: /for svc-embed-v1$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Download svc-embed-v1' });
    await dialog.getByText(/to download\.$/).waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    expect(errors).toEqual([]);
  },
);
