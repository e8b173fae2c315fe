import { expect, test } from 'vitest';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { findSandbox } from '../../../helpers/models/sandbox.ts';

type Loaded = { models: { sandbox: string | null; pid: number; bytes: number }[] };
type Examined = { findings: { check: string; level: string; message: string; fix?: string }[] };

async function loadModel(env: Record<string, string>) {
  const daemon = await startDaemon(env);
  const { path } = await scriptedModel('Hello.');
  await daemon.call('POST', '/api/daemon/import', { body: { path, id: 'tiny' } });
  const body = { model: 'tiny', messages: [{ role: 'user', content: 'hi' }] };
  const answer = await daemon.call('POST', '/v1/chat/completions', { body });
  const ps = (await daemon.call('GET', '/api/daemon/ps')).json<Loaded>();
  const { findings } = (await daemon.call('POST', '/api/daemon/examine', { body: {} })).json<Examined>();
  return {
    answer,
    model: ps.models[0],
    finding: findings.find(({ check }) => check === 'sandbox of models'),
  };
}

const { name } = await findSandbox();

test.runIf(name !== null)('a model answers from its sandbox, which ps and doctor name', async () => {
  const { answer, model, finding } = await loadModel({});
  expect(answer.status).toBe(200);
  expect(model).toMatchObject({ sandbox: name, pid: expect.any(Number) });
  expect(model?.bytes).toBeGreaterThan(20_000_000);
  expect(finding).toMatchObject({ level: 'ok', message: expect.stringContaining('no network') });
});

test('with the setting off, a model runs without, and doctor says how to change that', async () => {
  const { answer, model, finding } = await loadModel({ ASKD_SANDBOX: 'off' });
  expect(answer.status).toBe(200);
  expect(model).toMatchObject({ sandbox: null });
  expect(finding).toMatchObject({ level: 'warning', fix: 'askd config unset sandbox' });
});
