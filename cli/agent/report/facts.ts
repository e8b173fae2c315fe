import type { WholeAgentRun } from '../../../src/api/tasks/agent.ts';
import { formatCount, formatDuration, formatAmount } from '../../output/format.ts';

type Citation = WholeAgentRun['citations'][number];
type Step = WholeAgentRun['steps'][number];
export type ReportSource = WholeAgentRun['sources'][number] & { quotes: Citation[] };

/** Each source with the words that the answer took from it. */
export function sourcesOf({ sources, citations }: WholeAgentRun): ReportSource[] {
  return sources.map((source) => ({ ...source, quotes: citations.filter(({ n }) => n === source.n) }));
}

/** When, with what and for how much. */
export function factsOf({
  model,
  started_at: startedAt,
  ended_at: endedAt,
  usage,
  credits,
}: WholeAgentRun): string[] {
  const ms = endedAt === null ? undefined : Date.parse(endedAt) - Date.parse(startedAt);
  return [
    `${startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    model,
    ...(ms === undefined ? [] : [formatDuration(ms)]),
    ...(usage?.searches ? [formatCount(usage.searches, 'search', 'searches')] : []),
    ...(usage?.fetches ? [formatCount(usage.fetches, 'page')] : []),
    ...(usage ? [formatCount(usage.total_tokens, 'token')] : []),
    `${formatAmount(credits)} credits`,
  ];
}

/** What it did, one line per step; a tool is reported when it ends. */
export function stepsOf({ steps }: WholeAgentRun): string[] {
  return steps.flatMap((step) => lineOf(step) ?? []);
}

function lineOf(step: Step): string | undefined {
  if (step.type === 'step') return step.message;
  if (step.status === 'start') return undefined;
  const state = step.status === 'ok' ? '' : `, ${step.status.replace('_', ' ')}`;
  return `${step.name}${step.detail === undefined ? '' : `: ${step.detail}`} (${step.ms ?? 0} ms${state})`;
}

export const isAddress = (url: string): boolean => /^(?:https?|file):\/\//.test(url);
