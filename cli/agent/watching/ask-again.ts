import { resolve } from 'node:path';
import type { AgentRunRequest } from '../../../src/api/tasks/agent.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { createProgress } from '../../tasks/text/progress.ts';
import { reportFailure } from '../../output/failure-report.ts';
import { renderAnswer } from '../answer/render-answer.ts';
import { addDocs, collectionFor, type FileEvent } from '../docs/add-docs.ts';
import type { WriteReport } from '../report.ts';
import { openViewer } from '../viewer.ts';
import { documentOf, follow, wantedBy, type Finished } from '../watch.ts';
import { changedFiles, changesBetween, changesText, filesText, type Changes } from './changes.ts';
import { watchFolder } from './folder-changes.ts';

type Asked = { client: Pick<Client, 'agent'>; report: WriteReport | undefined };

type Watched = Asked & {
  folder: string;
  request: AgentRunRequest;
  /** The client that indexes, which needs the owner. */
  owner: Pick<Client, 'agent'>;
};

/** Answers a question, and again each time files of the folder change, until Ctrl-C. */
export async function askAgain(context: Context, { folder, ...watched }: Watched): Promise<never> {
  const { output, signal } = context;
  const path = resolve(folder);
  const collection = collectionFor(path);
  const request = withCollection(watched.request, collection);
  // Starts before the first look, so that no change falls between the two.
  const changes = watchFolder(path, signal);
  try {
    const index = async () => {
      const progress = createProgress(context);
      const added = await addDocs(watched.owner, { path, collection }, progress.show).finally(progress.end);
      return added.files;
    };
    await index();
    let last = await answer(context, watched, request);
    for (;;) {
      output.note(`Watching ${folder} for changes. Ctrl-C ends it.`);
      const files = await nextFiles(changes.next, index);
      last = await answerAnew(context, watched, { request, files, last });
    }
  } finally {
    changes.close();
  }
}

/** The index decides what matters: changes to files that it ignores have no effect. */
async function nextFiles(next: () => Promise<void>, index: () => Promise<FileEvent[]>): Promise<FileEvent[]> {
  for (;;) {
    await next();
    const files = changedFiles(await index());
    if (files.length > 0) return files;
  }
}

type Anew = { request: AgentRunRequest; files: FileEvent[]; last: Finished };

/** A failed run ends nothing: the next change may bring what it lacked. */
async function answerAnew(context: Context, watched: Asked, anew: Anew): Promise<Finished> {
  const { output, signal, io } = context;
  if (!output.json) output.note(filesText(anew.files));
  try {
    return await answer(context, watched, anew.request, anew);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof Failure)) throw error;
    for (const line of reportFailure(error, context.options).lines) io.stderr.write(`${line}\n`);
    return anew.last;
  }
}

async function answer(
  context: Context,
  { client, report }: Asked,
  request: AgentRunRequest,
  since?: Anew,
): Promise<Finished> {
  const { output } = context;
  const viewer = await openViewer(context, { total: 1 });
  const events = client.agent.run({ ...request, ...wantedBy(viewer) });
  const finished = await follow(events, viewer.open(request.query)).finally(viewer.close);
  const changes = since && changesBetween(since.last.done, finished.done, since.files);
  await report?.(
    await client.agent.find(finished.done.run),
    changes && [filesText(changes.files), ...changesText(changes)],
  );
  if (output.json) output.line(JSON.stringify({ ...documentOf(finished), ...(changes && { changes }) }));
  else output.line(textOf(finished, changes, context));
  return finished;
}

/** An unchanged answer is not printed again. */
function textOf({ done }: Finished, changes: Changes | undefined, { output }: Context): string {
  if (changes === undefined) return `${renderAnswer(done, output)}\n`;
  const lines = changesText(changes).join('\n');
  return changes.answer_changed ? `${renderAnswer(done, output)}\n\n${lines}\n` : `${lines}\n`;
}

function withCollection(request: AgentRunRequest, collection: string): AgentRunRequest {
  const docs = [...new Set([...(request.sources?.docs ?? []), collection])];
  return { ...request, sources: { ...request.sources, docs } };
}
