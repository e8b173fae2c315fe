import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { perfectReader } from '../../helpers/agent/reader.ts';
import type { Script } from '../../helpers/agent/scripted-chat.ts';
import { loopbackSearxng } from '../../helpers/agent/searxng.ts';
import { faultySite } from '../../helpers/agent/site.ts';
import { upstreamReader } from '../../helpers/agent/upstream-reader.ts';
import { asMarkdown, createWorld } from '../../helpers/agent/world.ts';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';

const LONG = { timeout: 180_000 };
const SIZES = [
  { width: 375, height: 720, colorScheme: 'dark' as const },
  { width: 1440, height: 900, colorScheme: 'light' as const },
];
const WORLD = createWorld(11);
const [FIRST, SECOND] = WORLD.questions.filter(({ kind }) => kind === 'one-hop');
const TWO_HOP = WORLD.questions.find(({ kind }) => kind === 'two-hop');

/** A reader that waits before its answer while the test holds it. */
function holdingReader() {
  let gate = Promise.resolve();
  let goOn: () => void = () => undefined;
  const script: Script = async (call) => {
    if (call.kind === 'answer') await gate;
    // It follows another question but needs nothing from it.
    if (call.kind === 'standalone') return JSON.stringify({ question: SECOND?.text });
    return perfectReader(call);
  };
  return { script, hold: () => void (gate = new Promise((resolve) => (goOn = resolve))), goOn: () => goOn() };
}

async function openAgent({ colorScheme, ...size }: (typeof SIZES)[number], environment = {}) {
  const installation = install({ ASKD_STARTER: 'off', ...environment });
  const { askd } = installation;
  const reader = holdingReader();
  const server = await upstreamReader(reader.script);
  const upstream = ['upstream', 'add', 'reader', '--url', `${server.url}/v1`, '--model', 'reader'];
  for (const args of [upstream, ['bind', 'svc-chat-v1', 'reader']])
    expect(await askd(args)).toMatchObject({ exitCode: 0 });
  const opened = await openConsole(installation);
  await opened.page.setViewportSize(size);
  await opened.page.emulateMedia({ colorScheme });
  await openScreen(opened.page, 'Agent');
  return { ...opened, ...installation, reader };
}

async function openWeb(size: (typeof SIZES)[number]) {
  const site = await faultySite(WORLD.pages);
  const searxng = await loopbackSearxng(WORLD.pages, { site });
  return openAgent(size, { ASKD_AGENT_SEARXNG_URL: searxng.url, ASKD_AGENT_ALLOW_ORIGINS: site });
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Agent' }).getByText(name).click();
const run = (page: Page, query = '') => page.getByRole('article', { name: query });

async function ask(page: Page, query = ''): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(query);
  await page.keyboard.press('Enter');
  await run(page, query).waitFor();
}

/** Nothing is wider than the window or out of reach. */
async function expectFine(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
}

test.each(SIZES)(
  'at $width pixels, documents are dropped and searched, and answer a question with their own words',
  LONG,
  async (size) => {
    const { page, errors } = await openAgent(size);
    await page.getByText('Give it something to read.').waitFor();
    await expectFine(page);
    await tab(page, 'Documents');
    await page.getByLabel('Collection', { exact: true }).fill('bridges');
    const files = WORLD.pages.map((each) => ({
      name: `${each.path}.md`,
      mimeType: 'text/markdown',
      buffer: Buffer.from(asMarkdown(each)),
    }));
    const picture = { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('x') };
    await page.getByLabel('Files to add').setInputFiles([...files, picture]);
    await page.getByText(`${files.length} added, 1 failed.`).waitFor();
    await page.getByText('picture.png: not Markdown, text, HTML, PDF or code').waitFor();
    const name = /the (\w+ Bridge)/.exec(FIRST?.text ?? '')?.[1] ?? '';
    await page.getByLabel('Search terms').fill(`${name} crosses`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('mark', { hasText: 'crosses' }).first().waitFor();
    await expectFine(page);

    await page.getByRole('button', { name: 'Ask about bridges' }).click();
    expect(await page.getByLabel('Documents: bridges').isChecked()).toBe(true);
    await ask(page, FIRST?.text);
    const answered = run(page, FIRST?.text);
    await answered.getByRole('list', { name: 'Sources' }).waitFor();
    await answered
      .getByText(FIRST?.answer ?? '')
      .first()
      .waitFor();
    await answered.getByText(/search(es)?, \d+ facts?$/).click();
    await answered.locator('li.fact').first().waitFor();
    await expectFine(page);
    await answered
      .getByRole('button', { name: /^Source 1: / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const quote = (await dialog.locator('mark').first().textContent()) ?? '';
    expect(WORLD.pages.flatMap(({ paragraphs }) => paragraphs).join('\n')).toContain(quote);
    const around = (await dialog.locator('blockquote').first().textContent()) ?? '';
    expect(around.length).toBeGreaterThan(quote.length);
    await expectFine(page);
    await page.keyboard.press('Escape');

    await ask(page, SECOND?.text);
    await run(page, SECOND?.text).getByRole('list', { name: 'Sources' }).waitFor();
    await tab(page, 'Earlier runs');
    await page
      .getByRole('row', { name: /answered/ })
      .nth(1)
      .waitFor();
    await expectFine(page);
    await page.getByRole('button', { name: `Delete ${FIRST?.text}` }).click();
    await page.getByText('Its 2 questions are deleted').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('None yet.').waitFor();
    await tab(page, 'Documents');
    await page.getByRole('button', { name: 'Remove bridges' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove bridges' }).waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  },
);

test.each(SIZES)(
  'at $width pixels, a run over the web shows its searches, pages and quotes, survives a reload, and is stopped',
  LONG,
  async (size) => {
    const { page, errors, reader } = await openWeb(size);
    reader.hold();
    await ask(page, TWO_HOP?.text);
    const running = run(page, TWO_HOP?.text);
    await running
      .locator('li.tool', { hasText: 'Web search' })
      .getByText(/\d results?$/)
      .first()
      .click();
    await running.locator('li.tool', { hasText: 'Page' }).getByText('done').first().waitFor();
    await running.locator('li.fact').nth(1).waitFor();
    await running.getByText('Writing the answer').first().waitFor();
    await expectFine(page);
    const before = await running.locator('.timeline > li').allTextContents();
    await page.reload();
    await running.getByText('Writing the answer').first().waitFor();
    expect(await running.locator('.timeline > li').allTextContents()).toEqual(before);
    reader.goOn();
    await running
      .getByText(TWO_HOP?.answer ?? '')
      .first()
      .waitFor();
    await running.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('mark').first().waitFor();
    const link = dialog.getByRole('link', { name: /^Open the page at 127/ });
    expect(await link.getAttribute('rel')).toContain('noreferrer');
    await dialog.getByRole('button', { name: 'Close' }).click();

    reader.hold();
    await ask(page, SECOND?.text);
    await run(page, SECOND?.text).getByText('Writing the answer').first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await run(page, SECOND?.text).getByText('stopped', { exact: true }).waitFor();
    reader.goOn();
    await run(page, SECOND?.text).getByRole('button', { name: 'Ask again' }).click();
    expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe(SECOND?.text);
    expect(errors).toEqual([]);
  },
);

test('a run that the daemon did not survive keeps what it found, and the page says so', LONG, async () => {
  const { page, reader, daemonPid, environment, askd, origin } = await openWeb(SIZES[1] ?? SIZES[0]!);
  reader.hold();
  await ask(page, TWO_HOP?.text);
  const running = run(page, TWO_HOP?.text);
  await running.getByText('Writing the answer').first().waitFor();
  const facts = await running.locator('li.fact').count();
  expect(facts).toBeGreaterThan(0);
  process.kill(daemonPid(), 'SIGKILL');
  await running.getByText('The connection to this run is lost').waitFor();
  environment.ASKD_PORT = new URL(origin).port;
  expect((await askd(['up'])).exitCode).toBe(0);
  await running.getByText('The daemon stopped during this run').waitFor();
  await running.getByText('interrupted', { exact: true }).waitFor();
  await running.getByText(new RegExp(`${facts} facts?$`)).click();
  expect(await running.locator('li.fact').count()).toBe(facts);
  reader.goOn();
  await running.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('button', { name: 'Ask', exact: true }).click();
  await page.getByRole('list', { name: 'Sources' }).waitFor();
});
