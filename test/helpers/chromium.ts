import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const LIST = new URL('../../scripts/setup/browser-places.json', import.meta.url);
const PLACES = JSON.parse(readFileSync(LIST, 'utf8')) as string[];

/** A tab in a real browser with its own profile; closed with its test. Its errors are collected. */
export async function openTab(args: readonly string[] = []): Promise<{ page: Page; errors: string[] }> {
  const executablePath = PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(`No Chromium at ${PLACES.join(', ')}. Install it: apt-get install chromium`);
  }
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}
