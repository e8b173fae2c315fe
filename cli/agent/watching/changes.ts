import { pathToFileURL } from 'node:url';
import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { placeOf } from '../answer/places.ts';
import type { FileEvent } from '../docs/add-docs.ts';

type Answer = Pick<WholeAgentRun, 'sources' | 'citations'> & { answer: string | null };

/** How two answers to the same question differ, and the files whose change caused the question to be asked again. */
export type Changes = {
  files: { path: string; status: FileEvent['status'] }[];
  answer_changed: boolean;
  new_sources: string[];
  lost_sources: string[];
};

export function changesBetween(before: Answer, after: Answer, files: readonly FileEvent[]): Changes {
  const [old, now] = [placesIn(before), placesIn(after)];
  return {
    files: changedFiles(files).map(({ path, status }) => ({ path, status })),
    answer_changed: withoutNumbers(before.answer) !== withoutNumbers(after.answer),
    new_sources: now.filter((place) => !old.includes(place)),
    lost_sources: old.filter((place) => !now.includes(place)),
  };
}

/** Changes that make it worth asking again. */
export function changedFiles(files: readonly FileEvent[]): FileEvent[] {
  return files.filter(({ status }) => status !== 'unchanged' && status !== 'failed');
}

const FILES_NAMED_MAX = 5;

/** `bridge.md changed, old.md removed` */
export function filesText(files: Changes['files']): string {
  const named = files
    .slice(0, FILES_NAMED_MAX)
    .map(({ path, status }) => `${placeOf({ url: pathToFileURL(path).href })} ${status}`);
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** One line for each kind of change. */
export function changesText({ answer_changed, new_sources, lost_sources }: Changes): string[] {
  return [
    answer_changed ? 'The answer has changed.' : 'The answer is the same.',
    ...new_sources.map((place) => `New source: ${sanitiseLine(place)}`),
    ...lost_sources.map((place) => `No longer a source: ${sanitiseLine(place)}`),
  ];
}

/** Without line numbers, which move when something is inserted above. */
function placesIn({ sources }: Answer): string[] {
  return [...new Set(sources.map(({ url }) => placeOf({ url })))];
}

/** A different order of the sources is not news. */
function withoutNumbers(answer: string | null): string {
  return (answer ?? '').replace(/\s*\[\d+\]/g, '').trim();
}
