import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Pull, PullAnswer } from '../../../src/api/management/library.ts';
import type { HubOptions } from '../../../scripts/hub/hub.ts';
import { scriptedModel } from '../models/models.ts';
import { startHub } from '../servers/hub.ts';
import { temporaryFolder } from '../temporary.ts';
import { startDaemon } from './daemon.ts';

export const REPO = 'someone/tiny-GGUF';

/** A daemon with a hub that has one tiny model. */
export async function besideHub({
  env = {},
  hub: options = {},
}: { env?: Record<string, string>; hub?: HubOptions } = {}) {
  const hub = await startHub(options);
  const cache = temporaryFolder();
  const model = await scriptedModel('From the hub.');
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(model.path), 'README.md': '# tiny' });
  const daemon = await startDaemon({
    ...hub.environment(cache),
    ASKD_DOWNLOAD_PART_BYTES: '16384',
    ASKD_DOWNLOAD_RETRY_MS: '5',
    ASKD_DOWNLOAD_STALL_MS: '20000',
    ...env,
  });

  async function pull(body: Record<string, unknown>): Promise<Pull> {
    const reply = await daemon.call('POST', '/api/daemon/pulls', { body });
    const { pull: started } = reply.json<PullAnswer>();
    if (!started) throw new Error(reply.text);
    await expect.poll(() => status(started.id), { timeout: 40_000 }).toMatch(/done|failed|cancelled/);
    return (await daemon.call('GET', `/api/daemon/pulls/${started.id}`)).json<Pull>();
  }
  const status = async (id: string) =>
    (await daemon.call('GET', `/api/daemon/pulls/${id}`)).json<Pull>().state;
  return { hub, cache, model, daemon, pull };
}
