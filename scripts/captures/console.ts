import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import sharp from 'sharp';

const SIZE = { width: 1280, height: 800 };
/** Pages over a slow connection do not wait for them. */
const BYTES_MAX = 150_000;
/** Charts are drawn, and figures that update once a second arrive. */
const SETTLED_MS = 2500;
/** As long as the graphs reach back. */
const GATHERED_MS = 60_000;

type Parts = {
  root: string;
  pictures: string;
  link: string;
  question: string;
  /** What the agent is asked, and which model answers. */
  agent: { question: string; model: string };
};

/** The console of a running daemon, screen by screen, in light and in dark mode. */
export async function captureConsole({ root, pictures, link, question, agent }: Parts): Promise<void> {
  const places = await readFile(path.join(root, 'scripts/setup/browser-places.json'), 'utf8');
  const executablePath = (JSON.parse(places) as string[]).find((place) => existsSync(place));
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: SIZE });
    await page.goto(link);
    await page.waitForURL('**/dashboard');
    await ask(page, question);
    await save(page, 'playground');
    await askAgent(page, agent);
    await save(page, 'agent');
    await page.getByRole('list', { name: 'Sources' }).getByRole('button').first().click();
    await save(page, 'agent-source');
    await page.keyboard.press('Escape');
    for (const name of ['Models', 'Usage']) {
      await openScreen(page, name);
      await save(page, name.toLowerCase());
    }
    await openScreen(page, 'Overview');
    await page.waitForTimeout(GATHERED_MS);
    await save(page, 'overview');
    await page.emulateMedia({ colorScheme: 'dark' });
    await save(page, 'overview-dark');
  } finally {
    await browser.close();
  }

  async function save(page: Page, name: string): Promise<void> {
    await page.waitForTimeout(SETTLED_MS);
    const taken = await page.screenshot();
    const picture = await sharp(taken).png({ palette: true, effort: 10 }).toBuffer();
    if (picture.length > BYTES_MAX) throw new Error(`console-${name}.png has ${picture.length} bytes.`);
    await writeFile(path.join(pictures, `console-${name}.png`), picture);
    console.log(`console-${name}.png (${picture.length} bytes)`);
  }
}

async function openScreen(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function ask(page: Page, question: string): Promise<void> {
  await openScreen(page, 'Playground');
  await page.getByLabel('Message', { exact: true }).fill(question);
  await page.keyboard.press('Enter');
  await page.locator('.turn.assistant[aria-busy=false]').waitFor();
}

/** With its steps in sight. */
async function askAgent(page: Page, { question, model }: Parts['agent']): Promise<void> {
  await openScreen(page, 'Agent');
  await page.getByLabel('Model').selectOption(model);
  await page.getByRole('textbox', { name: 'Question' }).fill(question);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Sources' }).waitFor();
  await page.locator('.run-steps > summary').click();
  await page.getByRole('list', { name: 'Sources' }).scrollIntoViewIfNeeded();
}
