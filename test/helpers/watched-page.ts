import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openTab } from './chromium.ts';
import { install } from './daemon/installation.ts';

/** A signed-in page, with everything that it does besides showing text. */
export async function openWatched() {
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

/** Markup in the page that could act, links that could, and handlers: text must not create any. */
const FIND_HARMFUL = `(() => {
  const all = [...document.querySelectorAll('main *')];
  const tags = 'script, iframe, object, embed, link, meta, base, style, img, svg a, form[action]';
  return all
    .filter((node) =>
      node.matches(tags) ||
      node.getAttributeNames().some((name) => name.startsWith('on')) ||
      (node.matches('a') && !/^(https?:)?\\/+/.test(node.getAttribute('href') ?? '')))
    .map((node) => node.outerHTML);
})()`;

export async function expectHarmless(page: Page, done: readonly string[]): Promise<void> {
  expect(await page.evaluate(FIND_HARMFUL)).toEqual([]);
  expect(done).toEqual([]);
}
