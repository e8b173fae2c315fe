import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { WholeAgentRun } from '../../src/api/tasks/agent.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Output } from '../output/output.ts';
import { toHtml } from './report/html.ts';
import { toMarkdown } from './report/markdown.ts';

type Format = (run: WholeAgentRun, sinceLast?: readonly string[]) => string;

const FORMATS: Record<string, Format> = {
  '.md': toMarkdown,
  '.html': toHtml,
  '.htm': toHtml,
};

/** With what is new since the previous run, if there was one. */
export type WriteReport = (run: WholeAgentRun, sinceLast?: readonly string[]) => Promise<void>;

/** A name without a known format is refused before anything is asked. */
export function reportTo(path: string, { note }: Pick<Output, 'note'>): WriteReport {
  const format = FORMATS[extname(path).toLowerCase()];
  if (!format)
    throw new Failure('invalid_value', `The name of a report must end in .md or .html; "${path}" does not.`);
  return async (run, sinceLast) => {
    await writeFile(path, format(run, sinceLast));
    note(`The report is in ${path}.`);
  };
}
