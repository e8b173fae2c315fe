import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { openStore } from '../../src/store/store.ts';
import { writeScriptedModel } from '../fixtures/scripted-model.ts';
import { fillLedger } from './accounts/fill.ts';
import { percentile, reportLines, type Figure } from './accounts/report.ts';
import { startAskd, type Askd } from './overhead/askd.ts';

/** The console in a real Chromium: how soon it shows something, and how smooth it stays under load. */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
});
const rounds = options.quick ? 3 : 9;
const answerTokens = options.quick ? 2_000 : 8_000;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LEDGER_ROWS = 10_000;
const TIMEOUT_MS = 300_000;

const FIRST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [first] = list.getEntriesByName('first-contentful-paint');
    if (first) resolve(first.startTime);
  }).observe({ type: 'paint', buffered: true });
})`;

const WATCH_TASKS = `
  window.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ entryTypes: ['longtask'] });`;

/** As long as there is more to scroll: a wheel that never rests, while pages arrive. */
const SCROLL = `new Promise((resolve) => {
  const place = document.querySelector('.ledger');
  const times = [];
  const step = (time) => {
    times.push(time);
    place.scrollTop += 300;
    const hasAll = place.getAttribute('aria-rowcount') !== '-1';
    const isAtEnd = place.scrollTop + place.clientHeight >= place.scrollHeight - 1;
    if (hasAll && isAtEnd) resolve(times.slice(1).map((each, index) => each - times[index]));
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

const figures: Figure[] = [];
const began = loadavg()[0] ?? 0;
const folder = await mkdtemp(path.join(tmpdir(), 'askd-bench-console-'));
try {
  await using askd = await startAskd({});
  const browser = await openBrowser();
  try {
    sizes();
    await firstPaints(browser, askd);
    await longAnswer(browser, askd);
    await ledger(browser, askd);
  } finally {
    await browser.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const load = `${availableParallelism()} cores, load ${began.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}`;
console.log(options.json ? JSON.stringify({ figures, load }, null, 2) : load);

/** Printed as soon as it is known. */
function add(figure: Figure): void {
  figures.push(figure);
  if (!options.json) console.log(reportLines([figure]).join('\n'));
}

async function openBrowser(): Promise<Browser> {
  const list = readFileSync(path.join(ROOT, 'scripts/setup/browser-places.json'), 'utf8');
  const executablePath = (JSON.parse(list) as string[]).find((place) => existsSync(place));
  return chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox'] });
}

function sizes(): void {
  const assets = path.join(ROOT, 'dist/console/assets');
  const packed = (name: string) => gzipSync(readFileSync(path.join(assets, name))).length / 1000;
  const index = readFileSync(path.join(ROOT, 'dist/console/index.html'), 'utf8');
  const first = [...index.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name);
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + packed(name), 0);
  add({ label: 'first script, compressed, KB', unit: 'n', value: sum(first), goal: { atMost: 150 } });
  add({
    label: 'all of it, compressed, KB',
    unit: 'n',
    value: sum(readdirSync(assets)),
    goal: { atMost: 400 },
  });
}

/** Compared with a page of the same daemon that has one line of text. */
async function firstPaints(browser: Browser, askd: Askd): Promise<void> {
  const [console, plain]: [number[], number[]] = [[], []];
  const origin = new URL(askd.baseUrl).origin;
  for (let round = 0; round < rounds; round++) {
    plain.push(await paintOf(browser, async (page) => void (await page.goto(`${origin}/login`))));
    console.push(
      await paintOf(browser, async (page) => {
        await signIn(page, askd);
        await page.reload();
      }),
    );
  }
  const median = percentile(console, 0.5);
  add({ label: 'first paint of the console', unit: 'ms', value: median, goal: { atMost: 1000 } });
  add({
    label: 'first paint, console / page of one line',
    unit: 'x',
    value: median / percentile(plain, 0.5),
  });
}

/** Nothing is kept between them: each has its own profile. */
async function paintOf(browser: Browser, open: (page: Page) => Promise<void>): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await open(page);
    return await page.evaluate<number>(FIRST_PAINT);
  } finally {
    await context.close();
  }
}

async function signIn(page: Page, askd: Askd): Promise<void> {
  const { login_url: link } = (await askd.run('dashboard', '--no-open')) as { login_url: string };
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  await page.getByText(/^Running \d/).waitFor();
}

/** Markdown that streams as fast as a model can: the page has to keep up, and still react to a click. */
async function longAnswer(browser: Browser, askd: Askd): Promise<void> {
  const file = path.join(folder, 'long.gguf');
  const text =
    '## A heading\n\nSome *words* and `code`, then a list:\n\n- one\n- two\n\n```js\nlet a = 1;\n```\n\n';
  await writeScriptedModel(file, { text, endless: true });
  await askd.run('import', file, '--id', 'long');
  await askd.run('bind', 'svc-chat-v1', 'long');
  const page = await browser.newPage();
  await signIn(page, askd);
  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('Tokens at most').fill(String(answerTokens));
  await page.evaluate(WATCH_TASKS);
  const startedAt = performance.now();
  await page.getByLabel('Message', { exact: true }).fill('Go on');
  await page.keyboard.press('Enter');
  await page.locator('.turn.assistant[aria-busy=false]').waitFor();
  const seconds = (performance.now() - startedAt) / 1000;
  const tasks = await page.evaluate<number[]>('longTasks');
  const blocked = tasks.reduce((sum, each) => sum + each, 0) / 1000;
  const label = `an answer of ${answerTokens} tokens`;
  add({ label: `${label}: shown`, unit: '/s', value: answerTokens / seconds });
  add({
    label: `${label}: time in tasks over 50 ms`,
    unit: '%',
    value: (100 * blocked) / seconds,
    goal: { atMost: 10 },
  });
  await page.close();
}

async function ledger(browser: Browser, askd: Askd): Promise<void> {
  const { home } = (await askd.run('status')) as { home: string };
  const store = openStore(path.join(home, 'askd.db'));
  const { account_id: accountId } = store
    .prepare<{ account_id: string }>('SELECT account_id FROM wallets')
    .get() as { account_id: string };
  fillLedger(store, { accountId, transactions: LEDGER_ROWS, holds: 0 });
  store.close();
  const page = await browser.newPage();
  await signIn(page, askd);
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByRole('table', { name: 'Transactions' }).getByRole('row').nth(2).waitFor();
  const frames = await page.evaluate<number[]>(SCROLL);
  const seconds = frames.reduce((sum, each) => sum + each, 0) / 1000;
  const label = `scrolling ${LEDGER_ROWS} transactions`;
  add({ label: `${label}: frames`, unit: '/s', value: frames.length / seconds, goal: { atLeast: 57 } });
  add({ label: `${label}: p99 of a frame`, unit: 'ms', value: percentile(frames, 0.99) });
  await page.close();
}
