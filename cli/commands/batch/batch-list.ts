import type { Batch } from '../../../src/api/tasks/batches.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';

const SHOWN = 100;

export const batchList = command({
  name: 'batch list',
  group: 'Text:',
  summary: 'list the latest batches',
  examples: ['askd batch list', 'askd batch list --json'],
  async run({ connect, output }) {
    const [{ batchCalls }, { countsText }] = await Promise.all([
      import('../../tasks/batch/calls.ts'),
      import('../../tasks/batch/text.ts'),
    ]);
    const { data } = await batchCalls((await connect('inference')).http).list(SHOWN);
    const now = Date.now();
    output.result({ schema: 'batch-list/1', batches: data }, () =>
      data.length === 0
        ? 'No batches yet: askd batch run FILE'
        : renderTable<Batch>(
            data,
            [
              { title: 'BATCH', value: ({ id }) => id },
              { title: 'STATE', value: ({ status }) => status.replace('_', ' ') },
              { title: 'DONE', value: countsText },
              { title: 'BEGAN', value: ({ created_at }) => formatSince(isoOf(created_at), now) },
              { title: 'MODEL', value: ({ model }) => model ?? '', shrinks: true },
            ],
            output,
          ),
    );
  },
});

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();
