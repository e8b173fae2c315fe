import { expect, test } from 'vitest';
import type { EngineInfo } from '../../../src/api/management/engines.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { startRegistry } from '../../helpers/servers/registry.ts';

async function besideRegistry() {
  const registry = await startRegistry();
  const daemon = await startDaemon(
    { ASKD_NPM_REGISTRY: registry.address, ASKD_DOWNLOAD_RETRY_MS: '1' },
    { optionalEngines: [await registry.publishEngine()] },
  );
  announce(daemon);
  const askd = (args: string) => runCli(args.split(' '), { home: daemon.home });
  return { registry, daemon, askd };
}

test('an engine is listed, installed with its progress on stderr, used, and removed', async () => {
  const { askd, daemon } = await besideRegistry();
  expect((await askd('engines list')).stdout).toMatch(/vision +seeing +1\.2\.3 .* not installed +\(cuda\)/);
  const installed = await askd('engines install vision');
  expect(installed).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The engine "vision" 1\.2\.3 is installed: .*node_modules\n$/) as string,
    stderr: expect.stringMatching(/^ +0% {2}0 B of .*@maker\/eye 1\.2\.3\n/) as string,
  });
  const listed = JSON.parse((await askd('engines list --json')).stdout) as { engines: EngineInfo[] };
  expect(listed).toMatchObject({
    schema: 'engines-list/1',
    engines: [{ state: 'installed' }, { name: 'llama-build', state: 'not_installed' }],
  });
  expect((await askd('doctor')).stdout).toContain(`engine vision: 1.2.3, in ${daemon.home}`);
  const removed = await askd('engines remove vision');
  expect([removed.code, removed.stdout]).toEqual([
    0,
    'Removed the engine "vision". To reinstall it: askd engines install vision\n',
  ]);
  expect((await askd('doctor')).stdout).toMatch(
    /engine vision: not installed; for seeing: askd engines\s+install/,
  );
});

test('a package with the wrong content is rejected with the reason and its own exit code', async () => {
  const { registry, askd } = await besideRegistry();
  registry.fail('helper', 'wrong', 2);
  const { code, stdout, stderr } = await askd('engines install vision');
  expect([code, stdout]).toEqual([9, '']);
  expect(stderr).toContain('error: helper 1.2.3 from the registry failed verification');
});

test('an unknown engine, and removing one that is not installed, are refused', async () => {
  const { askd } = await besideRegistry();
  expect(await askd('engines install sound')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('There is no optional engine "sound"; there are: vision.') as string,
  });
  expect((await askd('engines remove vision')).code).toBe(5);
});
