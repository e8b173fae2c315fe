import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureFile } from '../helpers/models/image-files.ts';
import { install } from '../helpers/daemon/installation.ts';
import { visionModel } from '../helpers/models/models.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const SECRET = 'a-prompt-that-is-nobodys-business';

test('the most verbose log contains no prompt, though the vision library prints each', async () => {
  const { path, projector } = await visionModel();
  const image = join(temporaryFolder(), 'red.png');
  writeFileSync(image, await pictureFile('red'));
  const { askd, home } = install({ ASKD_LOG_LEVEL: 'debug' });
  await askd(['import', path, '--id', 'eyes', '--no-check', '--projector', projector, '--link']);
  const answer = await askd(['chat', SECRET, '-m', 'eyes', '--image', image, '--max-tokens', '4']);
  expect([answer.exitCode, answer.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  await askd(['down']);
  const logs = join(home, 'logs');
  const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(written.join('')).toContain('clip_model_loader');
  expect(written.join('')).not.toContain(SECRET);
}, 120_000);
