import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hubModel } from '../../../models/catalog/hub-model.ts';
import { starterChat } from '../../../models/catalog/starter/starter-chat.ts';
import { binFile, homePaths } from '../../../src/base/paths.ts';
import { createCalibrations } from '../../../src/library/calibrations.ts';
import { startDaemon } from '../daemon/daemon.ts';
import { scriptedModel } from '../models/models.ts';
import { startHub } from '../servers/hub.ts';
import { temporaryFolder } from '../temporary.ts';
import { announce } from './cli.ts';
import { openTerminal } from './terminal.ts';

const REPO = 'someone/talker-GGUF';
const PATH = 'talker-Q8_0.gguf';

/**
 * A home in which askd has never been used, on a machine whose speed is known. Its daemon has the starter, and a hub
 * with one larger chat model. `parts` are for the environment of the daemon and of the command.
 */
export async function firstStart({ env = {}, path }: { env?: Record<string, string>; path?: string } = {}) {
  const hub = await startHub();
  const content = readFileSync((await scriptedModel('The larger model says so.')).path);
  hub.add(REPO, { [PATH]: content });
  const talker = hubModel({
    id: 'talker',
    name: 'Talker 1B',
    engine: 'llama',
    tasks: ['chat'],
    services: ['svc-chat-v1'],
    tier: 'small',
    licence: 'MIT',
    contextTokensMax: 2048,
    hub: [{ role: 'model', repo: REPO, path: PATH, bytes: content.length }],
    verified: {},
  });
  const daemon = await startDaemon(
    { ...hub.environment(temporaryFolder()), ...env },
    { catalog: [starterChat, talker] },
  );
  const { store, clock } = daemon.services;
  const speed = { tokensPerSecond: 60, weightBytes: 326e6, device: 'cpu', cardBytes: null, isCalm: true };
  createCalibrations({ store, clock }).keepMachineSpeed(speed, 2);
  const home = mkdtempSync(join(tmpdir(), 'askd-home-'));
  announce({ ...daemon, home });
  copyFileSync(homePaths(daemon.home).rootToken, homePaths(home).rootToken);
  const environment = { ASKD_HOME: home, NO_COLOR: '1', ...(path !== undefined && { PATH: path }) };
  return {
    daemon,
    hub,
    home,
    open: (line = '', more: Record<string, string> = {}) =>
      openTerminal(
        `${process.execPath} ${binFile('askd.js')} ${line}`,
        { columns: 80, rows: 40 },
        { ...environment, ...more },
      ),
    pulls: async () =>
      (await daemon.call('GET', '/api/daemon/pulls')).json<{ pulls: { state: string; model: string }[] }>()
        .pulls,
  };
}
