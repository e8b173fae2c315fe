import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Collection, DocsEvent } from '../../../src/api/management/docs.ts';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { formatCount } from '../../output/format.ts';

type FileEvent = Extract<DocsEvent, { type: 'file' }>;

const NAME_MAX = 64;

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
    const collection = options.collection ?? nameOf(whole);
    const [{ createProgress }, { parseEvent }] = await Promise.all([
      import('../../tasks/text/progress.ts'),
      import('../../../src/api/http/http.ts'),
    ]);
    const client = await connect();
    const progress = createProgress({ io, output });
    const files: FileEvent[] = [];
    let total = 0;
    let result: Collection | undefined;
    for await (const data of client.agent.docs.add({ path: whole, collection })) {
      const event = parseEvent<DocsEvent>(data);
      if (event.type === 'found') total = event.files;
      else if (event.type === 'done') result = event.collection;
      else {
        files.push(event);
        progress.show(Math.min(files.length, total), total);
      }
    }
    progress.end();
    for (const { path: file, status, reason } of files) {
      if (status === 'failed') output.note(`not read: ${sanitiseLine(file)}: ${sanitiseLine(reason ?? '')}`);
    }
    if (result === undefined)
      throw new Failure(
        'daemon_unreachable',
        'The daemon stopped before all files were read. Run the command again to resume.',
      );
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

/** Folder names may be invalid as collection names. */
function nameOf(path: string): string {
  const name = basename(path)
    .replace(/[^\p{L}\p{N} ._-]+/gu, '-')
    .replace(/^[ ._-]+|[ ._-]+$/g, '');
  return name.slice(0, NAME_MAX).trimEnd() || 'documents';
}

function countByStatus(files: readonly FileEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of files) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
