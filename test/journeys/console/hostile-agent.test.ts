import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';
import { expectHarmless, openWatched } from '../../helpers/watched-page.ts';

const LAST = HOSTILE_TEXTS.length - 1;
const AT = '2026-01-01T00:00:00.000Z';
const USAGE = {
  ...{ cycles: 1, model_calls: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  ...{ searches: 1, fetches: 1, fallbacks: 0, wall_ms: 1 },
};
const [LINE = ''] = HOSTILE_TEXTS;

const runs = HOSTILE_TEXTS.map((query, index) => ({
  ...{ id: `run_${index}`, session_id: 'ses_1', mode: 'research', model: query, query },
  ...{ status: 'finished', stopped: 'answered', max_cycles: 5, answer: query, credits: 1 },
  ...{ started_at: AT, ended_at: AT },
}));

/** A run in which every text comes from a hostile page, folder or model. */
function hostileEvents(): object[] {
  const foundAt = (index: number) =>
    HOSTILE_TEXTS.slice(index, index + 10).map((text) => ({ url: text, title: text }));
  const sources = HOSTILE_TEXTS.map((text, index) => ({
    ...{ n: index + 1, kind: 'web', url: text, title: text },
  }));
  const citations = sources.map(({ n, url, title }) => ({ n, url, title, quote: title }));
  const tools = HOSTILE_TEXTS.flatMap((text, index) => [
    { type: 'tool', name: index % 2 ? 'search' : 'read', status: 'start', id: `t${index}`, detail: text },
    {
      ...{ type: 'tool', name: index % 2 ? 'search' : 'read', status: 'ok', id: `t${index}`, detail: text },
      ...{ ms: 1, found: index % 2 ? foundAt(index) : [{ url: text, title: text }] },
    },
  ]);
  const facts = HOSTILE_TEXTS.map((text, index) => ({
    ...{ type: 'fact', index, source: { kind: 'web', url: text, title: text }, fact: text, quote: text },
    ...{ heading: text, passage: `before ${text} after` },
  }));
  const steps = HOSTILE_TEXTS.map((message) => ({ type: 'step', message }));
  const numbered = [...steps, ...tools].map((event, index) => ({ ...event, seq: index + 1 }));
  const answer = HOSTILE_TEXTS.map((text, index) => `${text} [${index + 1}]`).join('\n\n');
  const result = { answer, citations, sources, stopped: 'answered', usage: USAGE };
  const done = { type: 'done', seq: numbered.length + 1, run: 'run_0', session: 'ses_1', ...result };
  return [...numbered, ...facts, { type: 'token', delta: answer }, done];
}

async function openAgent(page: Page): Promise<void> {
  await page.route('**/v1/agent/runs', (route) => route.fulfill({ json: { data: runs } }));
  await page.route('**/v1/agent/sessions/ses_1', (route) =>
    route.fulfill({ json: { id: 'ses_1', title: LINE, turns: runs.slice(0, 1) } }),
  );
  const body = hostileEvents().map((event) => `data: ${JSON.stringify(event)}\n\n`);
  await page.route('**/v1/agent/stream?*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `${body.join('')}data: [DONE]\n\n` }),
  );
  await page.getByRole('link', { name: 'Agent', exact: true }).click();
}

test('hostile pages, titles, addresses, quotes, queries and answers of the agent are shown as text', async () => {
  const { page, done } = await openWatched();
  await openAgent(page);
  await page.locator('.latest li').nth(4).waitFor();
  await page.getByRole('navigation', { name: 'Agent' }).getByText('Earlier runs').click();
  await page.getByRole('row').nth(LAST).waitFor();
  await expectHarmless(page, done);
  await page.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('list', { name: 'Sources' }).getByRole('button').nth(LAST).waitFor();
  await page.locator('.run-steps > summary').click();
  await page.locator('li.fact').nth(LAST).waitFor();
  await page.evaluate("document.querySelectorAll('li.tool details').forEach((each) => (each.open = true))");
  await expectHarmless(page, done);
  const open = page.getByRole('list', { name: 'Sources' }).getByRole('button');
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    await open.nth(index).click();
    expect(await page.getByRole('dialog').locator('mark').first().textContent()).toBe(text);
    await expectHarmless(page, done);
    await page.keyboard.press('Escape');
  }
}, 300_000);

test('hostile collections, paths, passages and names of files are shown as text', async () => {
  const { page, done } = await openWatched();
  const collections = HOSTILE_TEXTS.map((name) => ({
    ...{ name, documents: 1, passages: 1, bytes: 1, embedder: name, updated_at: AT },
  }));
  const hits = HOSTILE_TEXTS.map((text) => ({ path: text, title: text, heading: text, page: 1, text }));
  const files = HOSTILE_TEXTS.map((text) => ({ type: 'file', path: text, status: 'failed', reason: text }));
  const events = [...files, { type: 'done', collection: collections[0] }];
  await page.route('**/api/daemon/docs', (route) => route.fulfill({ json: { data: collections } }));
  await page.route('**/api/daemon/docs/search', (route) => route.fulfill({ json: { data: hits } }));
  await page.route('**/api/daemon/docs/files', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    }),
  );
  await openAgent(page);
  await page.getByText(`Documents: ${LINE}`).first().waitFor();
  await expectHarmless(page, done);
  await page.getByRole('navigation', { name: 'Agent' }).getByText('Documents').click();
  await page.getByRole('row').nth(LAST).waitFor();
  await page.getByLabel('Search terms').fill(LINE);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('figure.passage').nth(LAST).waitFor();
  const file = { name: LINE, mimeType: 'text/plain', buffer: Buffer.from('x') };
  await page.getByLabel('Files to add').setInputFiles([file]);
  await page.getByText(`${HOSTILE_TEXTS.length} not read`).click();
  await expectHarmless(page, done);
});
