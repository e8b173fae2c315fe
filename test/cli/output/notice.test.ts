import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { homePaths } from '../../../src/base/paths.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';

/** A daemon with the starter models, and the notices that translations print. */
async function openNotices() {
  const daemon = await startDaemon();
  announce(daemon);
  const file = homePaths(daemon.home).shownNotices;
  return {
    file,
    translate: async (...flags: string[]) => {
      const { code, stderr } = await runCli(['translate', '--to', 'French', 'Good morning', ...flags], {
        home: daemon.home,
      });
      expect(code).toBe(0);
      return stderr;
    },
  };
}

test('the notice of a starter model is shown once, and again after half a day', async () => {
  const { translate, file } = await openNotices();
  const first = await translate();
  expect(first).toMatch(/^note: A tiny starter model.*\n$/);
  expect(await translate()).toBe('');
  const text = first.replace('note: ', '').trim();
  writeFileSync(file, JSON.stringify({ [text]: Date.now() - 13 * 60 * 60 * 1000 }));
  expect(await translate()).toBe(first);
});

test('a quiet command does not use up the notice, and a broken file of notices only shows it again', async () => {
  const { translate, file } = await openNotices();
  expect(await translate('--quiet')).toBe('');
  const first = await translate();
  expect(first).toContain('starter model');
  writeFileSync(file, 'no JSON');
  expect(await translate()).toBe(first);
});
