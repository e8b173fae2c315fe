import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { openConsole, openScreen } from '../../helpers/console.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';
const ID = `hf:${REPO}/tiny-Q4_K_M.gguf`;
const VERDICT = /^(works|weak|broken)$/;

test(
  'models that the console downloads or imports are checked, and each finding is shown',
  { timeout: 240_000 },
  async () => {
    const hub = await startHub();
    const { path } = await scriptedModel('From the hub.');
    hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(path) });
    const { page, errors } = await openConsole(install(hub.environment(temporaryFolder())));
    await openScreen(page, 'Models');
    await page.getByRole('navigation', { name: 'Models' }).getByText('Catalogue and hub').click();
    await page.getByLabel('Search the hub, or name a repository').fill(`hf:${REPO}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
    // On whatever screen.
    await openScreen(page, 'Wallet');
    await openScreen(page, 'Models');
    await page.getByRole('article', { name: ID }).getByText(VERDICT).waitFor();

    await page.getByRole('button', { name: 'Import a file' }).click();
    await page.getByLabel('Path').fill(path);
    await page.getByLabel('Name here').fill('mine');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('row', { name: /^mine/ }).getByText(VERDICT).waitFor();
    await page.getByRole('button', { name: 'Open mine' }).click();
    const check = page.getByRole('dialog').getByRole('region', { name: 'Check' });
    expect(await check.getByRole('listitem').count()).toBeGreaterThan(3);
    await check.getByText(/^Checked /).waitFor();
    const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`)).toEqual([]);
    await page.route('**/api/daemon/check', () => undefined);
    await check.getByRole('button', { name: 'Check again' }).click();
    await check.getByText('Checking: next step').waitFor();
    await check.getByRole('button', { name: 'Stop' }).click();
    await check.getByRole('alert').getByText('Stopped.').waitFor();
    expect(errors).toEqual([]);
  },
);
