import type { Page } from 'playwright-core';
import { loginCode } from './accounts/sessions.ts';
import { openTab } from './chromium.ts';
import type { TestDaemon } from './daemon/daemon.ts';
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

/** The same for a daemon of this process. `args` are for Chromium. */
export async function openConsoleOf(daemon: TestDaemon, args: readonly string[] = []) {
  const { page, errors } = await openTab(args);
  await page.goto(`http://127.0.0.1:${daemon.port}/login#${await loginCode(daemon)}`);
  await page.waitForURL('**/dashboard');
  await untilConnected(page);
  return { page, errors };
}

export const untilConnected = (page: Page) => page.getByText(/^Running \d/).waitFor();

/** Opens a screen through the navigation, as a person does. */
export async function openScreen(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
