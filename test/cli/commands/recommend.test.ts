import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hubModel } from '../../../models/catalog/hub-model.ts';
import { openHub } from '../../../scripts/hub/hub.ts';
import type { Recommendation } from '../../../src/api/management/recommend.ts';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';

/** A machine is measured with a model of 360 MB, beside other tests. */
describe('askd recommend', { timeout: 400_000 }, () => {
  let daemon: TestDaemon;
  let hub: Awaited<ReturnType<typeof openHub>>;
  const cache = mkdtempSync(join(tmpdir(), 'askd-test-'));
  const askd = (args: string) => runCli(args.split(' '), { home: daemon.home });
  const bound = async (service: string) =>
    (await daemon.call('GET', `/v1/models/${service}`)).json<{ local: { artifact: string } }>().local
      .artifact;

  beforeAll(async () => {
    hub = await openHub({});
    const content = readFileSync((await scriptedModel('Hello.')).path);
    hub.add('someone/talker-GGUF', { 'talker-Q8_0.gguf': content, 'other-Q8_0.gguf': content });
    const entry = (id: string, path: string, services: string[], terms?: true) =>
      hubModel({
        id,
        name: id,
        engine: 'llama',
        tasks: ['chat'],
        services,
        tier: 'small',
        licence: terms ? 'Custom' : 'MIT',
        ...(terms && { licenceTerms: { summary: 'For research only.', url: 'https://example.com' } }),
        contextTokensMax: 2048,
        hub: [{ role: 'model', repo: 'someone/talker-GGUF', path, bytes: content.length }],
        verified: {},
      });
    daemon = await openDaemon(hub.environment(cache), undefined, {
      catalog: [
        entry('talker', 'talker-Q8_0.gguf', ['svc-chat-v1', 'svc-code-v1']),
        entry('strict', 'other-Q8_0.gguf', ['svc-vision-v1'], true),
      ],
    });
    announce(daemon);
  });
  afterAll(async () => {
    await daemon.close();
    await hub.close();
    rmSync(cache, { recursive: true });
  });

  test('says what suits this machine, at first without its speed and then with it', async () => {
    const before = await askd('recommend --no-measure');
    expect(before.stdout).toMatch(/svc-chat-v1 +talker +\S+ \S+ +\S+ MB +- +MIT/);
    expect(before.stdout).toMatch(/svc-code-v1 +talker +the same/);
    expect(before.stdout).toMatch(/svc-vision-v1 +strict .*Custom\*/);
    expect(before.stdout).toContain('was not measured: askd recommend');

    const { code, stdout, stderr } = await askd('recommend svc-chat-v1 --json');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Measuring how fast this machine')]);
    const { machine, models } = JSON.parse(stdout) as Recommendation;
    expect(machine.speed?.tokens_per_second).toBeGreaterThan(0);
    expect(models).toEqual([
      expect.objectContaining({ artifact: 'talker', is_installed: false, is_bound: false }),
    ]);
    const { from, to } = models[0]?.expected_tokens_per_second ?? { from: 0, to: 0 };
    expect(from > 0 && from <= to).toBe(true);
    expect((await daemon.call('GET', '/api/daemon/ps')).json()).toEqual({ models: [] });

    const after = await askd('recommend svc-chat-v1 --no-measure');
    expect(after.stdout).toMatch(/svc-chat-v1 +talker .* (?:[\d.]+ to )?[\d.]+ +MIT/);
    expect(after.stdout).toContain('askd recommend svc-chat-v1 --pull');
  });

  test('downloads everything, binds each service, and leaves out models with terms to accept', async () => {
    const refused = await askd('recommend --no-measure --pull');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);

    const { code, stdout, stderr } = await askd('recommend --no-measure --pull --yes');
    expect([code, stdout]).toEqual([0, 'Downloaded talker.\n']);
    expect(stderr).toContain('svc-vision-v1 was left out');
    expect(stderr).toContain('askd pull svc-vision-v1 --accept-licence');
    expect([await bound('svc-chat-v1'), await bound('svc-code-v1')]).toEqual(['talker', 'talker']);

    const again = await askd('recommend svc-chat-v1 --no-measure');
    expect(again.stdout).toMatch(/svc-chat-v1 +talker +in use/);
    expect(again.stdout).toMatch(/(Speed: .*measured by askd check|All of them are on this machine)/);
  });

  test('knows only service models', async () => {
    const { code, stderr } = await askd('recommend svc-nothing-v1');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/No service model[^]*fix: askd models/)]);
  });
});
