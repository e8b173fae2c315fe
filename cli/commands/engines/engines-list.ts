import type { EngineInfo } from '../../../src/api/management/engines.ts';
import { LLAMA_BUILD } from '../../../src/config/llama-build.ts';
import { command } from '../../command.ts';
import { formatBytes, orDash } from '../../output/format.ts';
import { wrapped } from '../../output/output.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const enginesList = command({
  name: 'engines list',
  group: 'Models:',
  summary: 'list the optional engines, and which are installed',
  examples: ['askd engines list', 'askd engines list --json'],
  async run({ connect, io, output }) {
    const client = await connect();
    const { engines } = await client.engines();
    output.result({ schema: 'engines-list/1', engines }, () =>
      [renderTable(engines, COLUMNS, output), wrapped(servingNote(engines), io.stdout)].join('\n'),
    );
  },
});

const STATES: Record<EngineInfo['state'], string> = {
  installed: 'installed',
  in_repository: 'installed with askd',
  not_installed: 'not installed',
  unsupported: 'no build for this platform',
};

const COLUMNS: readonly Column<EngineInfo>[] = [
  { title: 'NAME', value: (engine) => engine.name },
  { title: 'FOR', value: (engine) => engine.purpose, shrinks: true },
  { title: 'VERSION', value: (engine) => engine.version },
  { title: 'DOWNLOAD', value: ({ bytes }) => (bytes === 0 ? '-' : formatBytes(bytes)), align: 'right' },
  { title: 'STATE', value: (engine) => STATES[engine.state] },
  { title: 'GPU', value: (engine) => orDash(engine.gpus.map(gpuText).join(', ')) },
];

/** The llama engine has two builds, one of which is in use. */
function servingNote(engines: readonly EngineInfo[]): string {
  const build = engines.find(({ name }) => name === LLAMA_BUILD);
  return build?.state === 'installed'
    ? 'note: chat models use the engine compiled on this machine.'
    : 'note: chat models use the prebuilt engine. To compile one for this machine: askd engines build';
}

function gpuText({ name, is_installed: isInstalled }: EngineInfo['gpus'][number]): string {
  return isInstalled ? name : `(${name})`;
}
