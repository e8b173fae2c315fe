import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';
import type { FileEvent } from '../../agent/docs/add-docs.ts';
import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { formatCount } from '../../output/format.ts';

export const docsAdd = command<{ collection?: string }>({
  name: 'docs add',
  group: 'Chat:',
  summary: 'make a folder or file searchable, for the agent and for you',
  details:
    'Reads Markdown, text, HTML, PDF and code. Run it again to update: it reads new and changed files and drops deleted ' +
    'ones. Nothing leaves this machine.',
  examples: ['askd docs add ~/notes', 'askd docs add ./manual.pdf --collection manuals'],
  configure(commander) {
    commander
      .argument('<path>', 'a folder or a file')
      .option('--collection <name>', 'the collection to add to (default: the name of the folder or file)');
  },
  async run({ connect, io, options: { host }, output }, { args: [path = ''], options }) {
    const whole = host === undefined ? resolve(path) : path;
    if (host === undefined && !existsSync(whole))
      throw new Failure('not_found', `There is no file or folder ${whole}.`);
    const [{ createProgress }, { addDocs, collectionFor }] = await Promise.all([
      import('../../tasks/text/progress.ts'),
      import('../../agent/docs/add-docs.ts'),
    ]);
    const collection = options.collection ?? collectionFor(whole);
    const client = await connect();
    const progress = createProgress({ io, output });
    const { files, collection: result } = await addDocs(
      client,
      { path: whole, collection },
      progress.show,
    ).finally(progress.end);
    for (const { path: file, status, reason } of files) {
      if (status === 'failed') output.note(`not read: ${sanitiseLine(file)}: ${sanitiseLine(reason ?? '')}`);
    }
    const counts = countByStatus(files);
    const { name, documents, passages, embedder } = result;
    output.result({ schema: 'docs-add/1', collection: result, files: counts }, () =>
      [
        `"${name}" has ${formatCount(documents, 'document')} in ${formatCount(passages, 'passage')} (${
          Object.entries(counts)
            .map(([status, count]) => `${count} ${status}`)
            .join(', ') || 'no files'
        }).`,
        embedder === null
          ? 'Search matches keywords only. To match by meaning too: askd pull svc-embed-v1, then add them again.'
          : `Search matches keywords and meaning (${embedder}).`,
        `Next: askd agent "QUESTION" --docs ${JSON.stringify(name)}`,
      ].join('\n'),
    );
  },
});

function countByStatus(files: readonly FileEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of files) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
