import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSettings, readEnvironment } from '../../../src/config/config.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const settingsOf = (home: string, env: NodeJS.ProcessEnv = {}) =>
  loadSettings(readEnvironment({ ASKD_HOME: home, ...env }));

test('a setting keeps working under its earlier name, in the file and in the environment', async () => {
  const home = temporaryFolder();
  expect(await settingsOf(home)).toMatchObject({ ollamaApi: false });
  expect(await settingsOf(home, { ASKD_OLLAMA_DOOR: 'on' })).toMatchObject({ ollamaApi: true });
  expect(await settingsOf(home, { ASKD_OLLAMA_DOOR: 'on', ASKD_OLLAMA_API: 'off' })).toMatchObject({
    ollamaApi: false,
  });
  writeFileSync(join(home, 'config.json'), '{"ollama_door":true}');
  expect(await settingsOf(home)).toMatchObject({ ollamaApi: true });
});
