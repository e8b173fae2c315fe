import type { Page } from 'playwright-core';
import { openTab } from './chromium.ts';
import type { Installation } from './daemon/installation.ts';

/** The console as `askd dashboard` opens it: signed in, with its live connection to the daemon. */
export async function openConsole({ askd }: Installation) {
  const { stdout: link } = await askd(['dashboard', '--no-open']);
  const { page, errors } = await openTab();
  await page.goto(link);
  await page.waitForURL('**/dashboard');
  await untilConnected(page);
  return { page, errors, origin: new URL(link).origin };
}

export const untilConnected = (page: Page) => page.getByText(/^Running \d/).waitFor();

/** Goes to a screen by the navigation, as a person does. */
export async function openScreen(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
