import type { Model } from '../../../src/api/management/models.ts';
import { command } from '../../command.ts';
import { formatBytes, orDash } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

const COLUMNS: readonly Column<Model>[] = [
  { title: 'ID', value: (model) => model.id, shrinks: true },
  { title: 'CATEGORY', value: (model) => orDash(model.category) },
  { title: 'STATE', value: (model) => orDash(model.local?.state) },
  { title: 'ARTIFACT', value: (model) => orDash(model.local?.artifact), shrinks: true },
  { title: 'SIZE', value: (model) => formatBytes(model.local?.bytes ?? null), align: 'right' },
];

export const models = command({
  name: 'models',
  group: 'Models:',
  summary: 'list the models and the artifacts that serve them',
  examples: ['askd models', 'askd models --json'],
  async run({ connect, output }) {
    const client = await connect('inference');
    const list = await client.models();
    output.result({ schema: 'models/1', ...list }, () => renderTable(list.data, COLUMNS, output));
  },
});
