import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installPackage, runningNode } from '../../../scripts/package/install.ts';
import { packInto } from '../../../scripts/package/pack.ts';
import { smokeTest } from '../../../scripts/package/smoke.ts';
import { version } from '../../../src/base/version.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const INSTALL_MS = 600_000;
const OPTIONAL_ENGINES = ['@fugood/llama.node', '@qvac/diffusion-cpp', 'bare', 'bare-fs'];

// `npm run check:package` does the same under each supported Node.
test.skipIf(process.platform === 'win32')(
  'the packed package installs globally into an empty prefix, and works there',
  async () => {
    const folder = temporaryFolder();
    const installed = await installPackage(await packInto(folder), runningNode(), join(folder, 'prefix'));
    const smoke = await smokeTest(installed);
    expect(smoke).toEqual({
      version: expect.stringContaining(version) as string,
      answer: expect.stringContaining('askd webhooks add') as string,
      models: expect.arrayContaining(['svc-chat-v1']) as string[],
      event: 'webhook.test',
      frame: expect.stringContaining('svc-chat-v1') as string,
      console: ['200 text/html', '200 text/javascript', '200 text/css'],
      down: expect.stringMatching(/has stopped/) as string,
    });
    const packages = join(installed.folder, 'node_modules');
    expect(OPTIONAL_ENGINES.filter((name) => existsSync(join(packages, name)))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(installed.folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).filter((name) => !existsSync(join(packages, name)))).toEqual([]);
  },
  INSTALL_MS,
);
