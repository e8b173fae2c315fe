import type { Pull } from '../../../src/api/management/library.ts';
import { formatBytes, formatSince } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { renderTable, type Column } from '../../output/table.ts';
import { percentOf, rateOf } from './progress-text.ts';

export function pullsTable(pulls: readonly Pull[], output: Output, nowMs = Date.now()): string {
  const columns: Column<Pull>[] = [
    { title: 'MODEL', value: (pull) => pull.artifact, shrinks: 'middle' },
    { title: 'STATE', value: (pull) => pull.state },
    {
      title: 'DONE',
      value: (pull) =>
        pull.state === 'failed' ? '-' : `${percentOf(pull.bytes_received, pull.bytes_total)}%`,
      align: 'right',
    },
    { title: 'SIZE', value: (pull) => formatBytes(pull.bytes_total), align: 'right' },
    { title: 'SPEED', value: (pull) => rateOf(pull) || '-', align: 'right' },
    { title: 'BEGAN', value: (pull) => formatSince(pull.created_at, nowMs) },
  ];
  return renderTable(pulls, columns, output);
}
