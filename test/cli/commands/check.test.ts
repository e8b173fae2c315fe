import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { openHub } from '../../../scripts/hub/hub.ts';

describe('askd check', { timeout: 120_000 }, () => {
  let daemon: TestDaemon;
  let hub: Awaited<ReturnType<typeof openHub>>;
  const cache = mkdtempSync(join(tmpdir(), 'askd-test-'));
  const askd = (args: string) => runCli(args.split(' '), { home: daemon.home });
  beforeAll(async () => {
    hub = await openHub({});
    hub.add('someone/tiny-GGUF', { 'tiny-Q4_K_M.gguf': readFileSync((await scriptedModel('Hello.')).path) });
    daemon = await openDaemon(hub.environment(cache));
    announce(daemon);
  });
  afterAll(async () => {
    await daemon.close();
    await hub.close();
    rmSync(cache, { recursive: true });
  });

  test('prints each step and then the verdict in words, and show keeps it', async () => {
    const { code, stdout, stderr } = await askd('check svc-embed-v1');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'starter-embed: good for embeddings, 1024 dimensions\n',
    });
    expect(stderr).toMatch(
      /^ok +load +it runs on cpu.*\nok +embeddings +1024 dimensions.*\nok +memory +\d+ MB/m,
    );
    const { stdout: shown } = await askd('show svc-embed-v1');
    expect(shown).toMatch(/checked +\d{4}-\d\d-\d\d: good for embeddings/);
  });

  test('exits with the code for a damaged file if the model is broken', async () => {
    await askd(`import ${(await silentModel()).path} --id silent --no-check`);
    expect((await askd('show silent')).stdout).not.toContain('checked');
    const { code, stdout } = await askd('check silent --json');
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'check/1', artifact: 'silent', verdict: 'broken' });
    expect((await askd('show silent')).stdout).toMatch(/check, load +.*drops the user's messages/);
    const missing = await askd('check nobody');
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringContaining('fix: askd models')]);
  });

  test('runs automatically after an import, which does not fail because of it', async () => {
    const { path } = await silentModel();
    const { code, stdout, stderr } = await askd(`import ${path} --id again`);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Imported again/)]);
    expect(stderr).toMatch(
      /FAILED +load[^]*warning: again is broken: .*drops the user's messages.*askd show again/,
    );
    const quiet = await askd(`import ${path} --id third --json`);
    expect(JSON.parse(quiet.stdout)).toMatchObject({ id: 'third', check: { verdict: 'broken' } });
  });

  test('runs automatically after a pull, and the verdict stays with the model', async () => {
    const pulled = await askd('pull hf:someone/tiny-GGUF');
    expect([pulled.code, pulled.stderr]).toEqual([0, expect.stringMatching(/Checking hf:.*\nok +load/)]);
    const { stdout } = await askd('show hf:someone/tiny-GGUF/tiny-Q4_K_M.gguf');
    expect(stdout).toMatch(/checked +\d{4}-\d\d-\d\d: /);
  });
});

/** Its template is broken, which shows as soon as it is loaded, however busy the machine is. */
function silentModel() {
  return scriptedModel('Hello.', { chatTemplate: '{{ "You are helpful." }}' });
}
