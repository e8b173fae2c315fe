import type { Device } from '../../../src/api/management/devices.ts';
import { command } from '../../command.ts';
import { formatBytes } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const devices = command({
  name: 'devices',
  group: 'Models:',
  summary: 'list the graphics cards that models can be placed on',
  details:
    'A card that several drivers offer is listed once for each driver. Devices that the engine does not use by ' +
    'default, such as a processor that presents itself as a card, are used only for models placed on them.',
  examples: ['askd devices', 'askd devices --json'],
  async run({ connect, output }) {
    const client = await connect();
    const found = await client.devices();
    output.result({ schema: 'devices/1', devices: found.devices }, () =>
      found.devices.length === 0
        ? 'The engine finds no graphics card: models run on the processor. Why: askd doctor'
        : renderTable(found.devices, COLUMNS, output),
    );
  },
});

const COLUMNS: Column<Device>[] = [
  { title: 'DEVICE', value: ({ index }) => String(index), align: 'right' },
  { title: 'NAME', value: ({ name }) => name, shrinks: 'middle' },
  { title: 'BACKEND', value: ({ backend }) => backend },
  { title: 'MEMORY', value: ({ total_bytes: total }) => formatBytes(total), align: 'right' },
  { title: 'FREE', value: ({ free_bytes: free }) => formatBytes(free), align: 'right' },
  { title: 'USED', value: (device) => usedWhen(device) },
];

function usedWhen({ is_automatic: isAutomatic, is_shared: isShared }: Device): string {
  if (!isAutomatic) return 'only by name';
  return isShared ? 'by default; shares the memory of the machine' : 'by default';
}
