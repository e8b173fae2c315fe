import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openTab } from '../../helpers/chromium.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';

/** A signed-in page, with everything that it does beside showing text. */
async function openWatched() {
  const { askd } = install();
  const { stdout: link } = await askd(['dashboard', '--no-open']);
  const { page } = await openTab();
  const done: string[] = [];
  const { origin } = new URL(link);
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) done.push(`requested ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    done.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  return { page, done };
}

/** Markup inside the page that could act, links that could, and handlers: none may come of text. */
const FIND_HARMFUL = `(() => {
  const all = [...document.querySelectorAll('main *')];
  const tags = 'script, iframe, object, embed, link, meta, base, style, img, svg a, form:not(.composer)';
  return all
    .filter((node) =>
      node.matches(tags) ||
      node.getAttributeNames().some((name) => name.startsWith('on')) ||
      (node.matches('a') && !/^(https?:)?\\/+/.test(node.getAttribute('href') ?? '')))
    .map((node) => node.outerHTML);
})()`;

async function expectHarmless(page: Page, done: readonly string[]): Promise<void> {
  expect(await page.evaluate(FIND_HARMFUL)).toEqual([]);
  expect(done).toEqual([]);
}

test('a hundred hostile answers of a model are shown as text', async () => {
  const { page, done } = await openWatched();
  let answer = '';
  await page.route('**/v1/chat/completions', (route) => {
    const chunk = { choices: [{ delta: { reasoning_content: answer, content: answer } }] };
    return route.fulfill({
      contentType: 'text/event-stream',
      body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
    });
  });
  await page.getByRole('link', { name: 'Playground' }).click();
  expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(100);
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    answer = text;
    await page.getByLabel('Message', { exact: true }).fill(`hostile ${index}`);
    await page.keyboard.press('Enter');
    await page.locator('.turn.assistant[aria-busy=false]').nth(index).waitFor();
  }
  await expectHarmless(page, done);
});

test('hostile names of keys and browsers are shown as text', async () => {
  const { page, done } = await openWatched();
  await page.route('**/api/keys', async (route) => {
    const budget = {
      credits_per_month: null,
      tokens_per_month: null,
      rpm: null,
      credits_used: 0,
      tokens_used: 0,
    };
    const key = { scopes: ['<script>'], is_active: true, last_used_at: null, expires_at: null, budget };
    const keys = HOSTILE_TEXTS.map((name, id) => ({
      ...key,
      id: `${id}`,
      name,
      key_prefix: name.slice(0, 12),
    }));
    await route.fulfill({ json: keys });
  });
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('row').nth(HOSTILE_TEXTS.length).waitFor();
  await expectHarmless(page, done);
});

test('hostile lines of the log are shown as text', async () => {
  const { page, done } = await openWatched();
  await page.route('**/api/daemon/events?topics=log*', (route) => {
    const lines = HOSTILE_TEXTS.map((text) =>
      JSON.stringify({
        level: 50,
        request_id: text,
        path: text,
        [text]: text,
        err: { stack: text },
        msg: text,
      }),
    );
    const body = [...lines, ...HOSTILE_TEXTS.map((text) => text.replaceAll('\n', ' '))]
      .map((line) => `data: ${JSON.stringify({ topic: 'log', line })}\n\n`)
      .join('');
    return route.fulfill({ contentType: 'text/event-stream', body });
  });
  await page.getByRole('link', { name: 'Logs' }).click();
  await page
    .locator('.log-line')
    .nth(2 * HOSTILE_TEXTS.length - 1)
    .waitFor();
  await expectHarmless(page, done);
});
