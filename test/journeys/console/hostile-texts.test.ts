import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../helpers/hostile-texts.ts';
import { expectHarmless, openWatched } from '../../helpers/watched-page.ts';

const WITHIN = { timeout: 30_000 };

test('a hundred hostile model answers are shown as text', { timeout: 300_000 }, async () => {
  const { page, done } = await openWatched();
  let answer = '';
  await page.route('**/v1/chat/completions', (route) => {
    return route.fulfill(streamed({ delta: { reasoning_content: answer, content: answer } }));
  });
  await page.getByRole('link', { name: 'Playground' }).click();
  expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(100);
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    answer = text;
    await page.getByLabel('Message', { exact: true }).fill(`hostile ${index}`);
    await page.keyboard.press('Enter');
    await page.locator('.turn.assistant[aria-busy=false]').nth(index).waitFor();
  }
  expect(await page.locator('.turn.assistant .markdown').count()).toBe(HOSTILE_TEXTS.length);
  await expectHarmless(page, done);
});

test('hostile calls, schema answers, tokens and errors of a model are shown as text', async () => {
  const { page, done } = await openWatched();
  const send = async (answer: Parameters<Route['fulfill']>[0]) => {
    await page.route('**/v1/chat/completions', (route) => route.fulfill(answer), { times: 1 });
    await page.getByLabel('Message', { exact: true }).fill('hostile');
    await page.keyboard.press('Enter');
  };
  await page.getByRole('link', { name: 'Playground' }).click();
  const calls = HOSTILE_TEXTS.map((text, index) => ({
    ...{ index, id: text, type: 'function' },
    function: { name: text, arguments: JSON.stringify({ [text]: text }) },
  }));
  await send(streamed({ delta: { tool_calls: calls } }));
  await expect.poll(() => page.locator('.call').count(), WITHIN).toBe(HOSTILE_TEXTS.length);
  await page.route(
    '**/v1/chat/completions',
    (route) => route.fulfill(streamed({ delta: { content: 'x' } })),
    {
      times: 1,
    },
  );
  await page.getByRole('button', { name: 'Send the results' }).click();
  await page.getByRole('article', { name: 'Results of tools' }).waitFor();
  await expectHarmless(page, done);

  const tokens = HOSTILE_TEXTS.map((token) => ({
    ...toToken(token),
    top_logprobs: HOSTILE_TEXTS.map(toToken),
  }));
  await send(streamed({ delta: { content: 'tokens' }, logprobs: { content: tokens, refusal: null } }));
  await page.getByRole('button', { name: 'Tokens', exact: true }).click();
  await expect.poll(() => page.locator('.alternatives tr').count(), WITHIN).toBe(HOSTILE_TEXTS.length);
  await expectHarmless(page, done);

  await page.getByText('Structured output', { exact: true }).click();
  await page.getByLabel('Format of the answer').selectOption('JSON with a schema');
  const record = Object.fromEntries(HOSTILE_TEXTS.map((text) => [text, text]));
  await send(streamed({ delta: { content: JSON.stringify(record) } }));
  await page.getByLabel('What does not match the schema').waitFor();
  const error = { message: HOSTILE_TEXTS.join('\n'), type: 'x', param: 'tools', code: HOSTILE_TEXTS[0] };
  await send({ status: 400, json: { error } });
  await page.getByLabel('Settings').locator('.wrong').first().waitFor();
  await expectHarmless(page, done);
});

test('hostile names of models, files and tools are shown as text, and no image is fetched', async () => {
  const { page, done } = await openWatched();
  const asked = `fetch('/v1/models').then((answer) => answer.json())`;
  const { data: known } = await page.evaluate<ModelList>(asked);
  const data = HOSTILE_TEXTS.map((id) => ({ ...known[0], id }));
  await page.route('**/v1/models', (route) => route.fulfill({ json: { object: 'list', data } }));
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Model', { exact: true }).selectOption({ index: 50 });
  const files = HOSTILE_TEXTS.flatMap((text) => [
    { type: 'file', file: { filename: text, file_data: 'data:text/html,<script>alert(1)</script>' } },
    { type: 'image_url', image_url: { url: `https://evil.test/${encodeURIComponent(text)}` } },
    { type: 'image_url', image_url: { url: 'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+' } },
    { type: 'text', text },
  ]);
  await page.getByLabel('Conversation to import').setInputFiles({
    name: 'hostile.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify([{ role: 'user', content: files }])),
  });
  await expect.poll(() => page.locator('.attachments li').count(), WITHIN).toBe(3 * HOSTILE_TEXTS.length);
  await page.getByText('Tools', { exact: true }).click();
  const named = HOSTILE_TEXTS.map((name) => ({ type: 'function', function: { name } }));
  await page.getByLabel('Definitions').fill(JSON.stringify(named));
  await page.getByText('Tool 1: ').first().waitFor();
  await page.getByText('This request as code').click();
  await expectHarmless(page, done);
});

test('hostile completions are shown as text', async () => {
  const { page, done } = await openWatched();
  await page.route('**/v1/completions', (route) =>
    route.fulfill(streamed({ text: HOSTILE_TEXTS.join('\n'), logprobs: null })),
  );
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('link', { name: 'Completion' }).click();
  await page.getByRole('button', { name: 'Complete', exact: true }).click();
  await page.getByLabel('Text', { exact: true }).getByText('evil.test').waitFor();
  await page.getByRole('button', { name: 'Add to the prompt' }).click();
  await expectHarmless(page, done);
});

type ModelList = { data: object[] };

const toToken = (token: string) => ({ token, logprob: -0.1, bytes: [] });

/** A stream with one chunk. */
function streamed(choice: object): Parameters<Route['fulfill']>[0] {
  const chunk = { choices: [{ index: 0, finish_reason: 'stop', ...choice }] };
  return {
    contentType: 'text/event-stream',
    body: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
  };
}

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

test('hostile log lines are shown as text', async () => {
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

test('hostile names, files and licences of models are shown as text', async () => {
  const { page, done } = await openWatched();
  await answerWith(page, { artifacts: { artifacts: HOSTILE_ARTIFACTS }, catalog: HOSTILE_CATALOG });
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('row').nth(HOSTILE_TEXTS.length).waitFor();
  await expectHarmless(page, done);
  const open = page.getByRole('button', { name: /^Open / });
  await open.first().click();
  await page.getByText('Model card (1)').click();
  await expectHarmless(page, done);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Catalogue and hub' }).click();
  const catalogue = page.getByRole('region', { name: 'Catalogue', exact: true });
  await catalogue
    .getByRole('button', { name: /^Download/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('checkbox').waitFor();
  await expectHarmless(page, done);
});

test('hostile repository names and download errors are shown as text', async () => {
  const { page, done } = await openWatched();
  const pulls = HOSTILE_TEXTS.map((text, index) => ({
    ...{ id: `${index}`, model: text, artifact: text, name: text, licence: text, service: text },
    ...{ reason: text, state: index < 3 ? 'failed' : 'paused', bytes_total: 1, bytes_received: 0 },
    ...{ bytes_verified: 0, bytes_per_second: null, eta_seconds: null, waiting: null, files: [] },
    ...{ error: { code: 'internal_error', message: text }, created_at: '2026-01-01T00:00:00Z' },
  }));
  const models = HOSTILE_TEXTS.map((repo) => ({ repo, downloads: 1, likes: 1, licence: repo }));
  await answerWith(page, { pulls: { pulls }, search: { models } });
  await page.getByRole('link', { name: 'Models' }).click();
  const downloads = page.getByRole('region', { name: 'Downloads' }).getByRole('article');
  await downloads.nth(HOSTILE_TEXTS.length - 1).waitFor();
  await expectHarmless(page, done);

  await page.getByRole('link', { name: 'Catalogue and hub' }).click();
  await page.getByLabel('Search the hub, or name a repository').fill('hostile');
  await page.keyboard.press('Enter');
  await page.getByText(`${HOSTILE_TEXTS.length} models found`).waitFor();
  await expectHarmless(page, done);
});

/** What the daemon answers to these requests of the models screen. */
async function answerWith(page: Page, answers: Record<string, object>): Promise<void> {
  for (const [path, json] of Object.entries(answers))
    await page.route(`**/api/daemon/${path}`, (route) => route.fulfill({ json }));
}

/** Each fact is another text. */
function hostileModel(index: number) {
  const text = (offset: number) => HOSTILE_TEXTS[(index + offset) % HOSTILE_TEXTS.length] ?? '';
  return {
    ...{ id: text(0), name: text(1), engine: text(2), tier: text(3), tasks: [text(4)] },
    ...{ licence: text(5), bytes: 1, context_tokens_max: 1 },
  };
}

const HOSTILE_ARTIFACTS = HOSTILE_TEXTS.map((text, index) => ({
  ...hostileModel(index),
  ...{
    path: text,
    bound_to: [text],
    fallback_for: [text],
    aliases: [text],
    is_present: true,
    obstacle: text,
    notice: text,
  },
  files: [{ path: text, bytes: 1, hash: text, is_fetched: true }],
  ...{ voices: { [text]: text }, card: { [text]: text } },
}));

const HOSTILE_CATALOG = {
  catalog: HOSTILE_TEXTS.map((text, index) => ({
    ...hostileModel(index),
    ...{ services: [text], licence_terms: { summary: text, url: text }, memory_bytes: 1, fits: true },
    ...{ is_installed: false, chosen_for: [text], choice_reason: text, verified: {} },
    ...{ why: text, is_compared: false },
  })),
  ...{ source: { serial: 1, issued: '2026-11-27', signed: null }, problem: HOSTILE_TEXTS[0] },
  machine: { memory_bytes: 1, for_models_bytes: 1 },
};
