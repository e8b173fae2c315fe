import type { Collection } from '../../../src/api/management/docs.ts';
import { command } from '../../command.ts';
import { formatBytes, formatSince } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';

export const docsList = command({
  name: 'docs list',
  group: 'Chat:',
  summary: 'list the collections of local documents',
  examples: ['askd docs list', 'askd docs list --json'],
  async run({ connect, output }) {
    const { data } = await (await connect()).agent.docs.list();
    const now = Date.now();
    output.result({ schema: 'docs-list/1', collections: data }, () =>
      data.length === 0
        ? 'No documents yet: askd docs add FOLDER'
        : renderTable<Collection>(
            data,
            [
              { title: 'COLLECTION', value: ({ name }) => name, shrinks: true },
              { title: 'DOCUMENTS', value: ({ documents }) => String(documents), align: 'right' },
              { title: 'PASSAGES', value: ({ passages }) => String(passages), align: 'right' },
              { title: 'SIZE', value: ({ bytes }) => formatBytes(bytes), align: 'right' },
              {
                title: 'SEARCH BY',
                value: ({ embedder }) => (embedder === null ? 'keywords' : 'keywords, meaning'),
              },
              { title: 'CHANGED', value: ({ updated_at }) => formatSince(updated_at, now) },
            ],
            output,
          ),
    );
  },
});
