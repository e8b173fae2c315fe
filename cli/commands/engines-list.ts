import type { EngineInfo } from '../../src/api/engines.ts';
import { command } from '../command.ts';
import { formatBytes, orDash } from '../format.ts';
import { renderTable, type Column } from '../table.ts';

export const enginesList = command({
  name: 'engines list',
  group: 'Models:',
  summary: 'list the optional engines, and which are installed',
  examples: ['askd engines list', 'askd engines list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { engines } = await client.engines();
    output.result({ schema: 'engines-list/1', engines }, () => renderTable(engines, COLUMNS, output));
  },
});

const STATES: Record<EngineInfo['state'], string> = {
  installed: 'installed',
  in_repository: 'in the repository',
  not_installed: 'not installed',
  unsupported: 'no build for this platform',
};

const COLUMNS: readonly Column<EngineInfo>[] = [
  { title: 'NAME', value: (engine) => engine.name },
  { title: 'FOR', value: (engine) => engine.purpose, shrinks: true },
  { title: 'VERSION', value: (engine) => engine.version },
  { title: 'DOWNLOAD', value: (engine) => formatBytes(engine.bytes), align: 'right' },
  { title: 'STATE', value: (engine) => STATES[engine.state] },
  { title: 'GPU', value: (engine) => orDash(engine.gpus.map(gpuText).join(', ')) },
];

function gpuText({ name, is_installed: isInstalled }: EngineInfo['gpus'][number]): string {
  return isInstalled ? name : `(${name})`;
}
