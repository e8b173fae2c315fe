import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { besideHub, REPO } from '../../../helpers/daemon/beside-hub.ts';

describe('removing a model of the hub', () => {
  test('accepts the name that it was pulled by, and never guesses which of two files is meant', async () => {
    const { hub, model, daemon, pull } = await besideHub();
    hub.add(REPO, { 'tiny-Q8_0.gguf': Buffer.concat([readFileSync(model.path), Buffer.alloc(32)]) });
    await pull({ model: `hf:${REPO}:Q4_K_M` });
    await pull({ model: `hf:${REPO}:Q8_0` });
    const remove = (name: string) => daemon.call('POST', '/api/daemon/remove', { body: { model: name } });
    const unclear = await remove(`hf:${REPO}`);
    expect([unclear.status, unclear.json()]).toMatchObject([
      400,
      {
        error: { message: expect.stringMatching(/tiny-Q4_K_M\.gguf, hf:someone.tiny-GGUF.tiny-Q8_0\.gguf/) },
      },
    ]);
    expect((await remove(`hf:${REPO}:Q8_0`)).json()).toMatchObject({ id: `hf:${REPO}/tiny-Q8_0.gguf` });
    expect((await remove(`hf:${REPO}`)).json()).toMatchObject({ id: `hf:${REPO}/tiny-Q4_K_M.gguf` });
  });

  test('that is not installed names the installed ones', async () => {
    const { daemon, pull } = await besideHub();
    await pull({ model: `hf:${REPO}` });
    const body = { model: 'hf:someone/other-GGUF' };
    const reply = await daemon.call('POST', '/api/daemon/remove', { body });
    expect([reply.status, reply.json()]).toMatchObject([
      404,
      {
        error: {
          code: 'model_not_found',
          message: `\`hf:someone/other-GGUF\` is not installed, so nothing was removed. Installed from the hub: hf:${REPO}/tiny-Q4_K_M.gguf.`,
        },
      },
    ]);
  });
});
