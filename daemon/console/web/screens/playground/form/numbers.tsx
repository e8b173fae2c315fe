import type { RequestUsage } from '../../../../../../src/api/account/request-usage.ts';
import { credits, number } from '../../../data/format.ts';
import type { Run } from './use-run.ts';

/** What the request used and cost, as the daemon recorded it. */
export function Numbers({ run }: { run: Run<unknown> }) {
  const { state, seconds, firstMs, servedBy, usages = [] } = run;
  if (state === 'idle') return null;
  if (state === 'running') return <p className="quiet small">Running…</p>;
  const parts = [
    state === 'stopped' && 'Stopped',
    usages.length > 0 && `${credits(sumOf(usages, 'credits'))} credits`,
    seconds !== undefined && `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`,
    firstMs !== undefined && `first after ${number(Math.round(firstMs))} ms`,
    ...countsOf(usages),
    servedBy,
  ];
  return <p className="quiet small numbers">{parts.filter(Boolean).join(' · ')}</p>;
}

const COUNTS = {
  prompt_tokens: 'tokens in',
  completion_tokens: 'tokens out',
  characters: 'characters',
  seconds: 's of audio',
} as const;

function countsOf(usages: readonly RequestUsage[]): string[] {
  return (Object.keys(COUNTS) as (keyof typeof COUNTS)[]).flatMap((name) => {
    const sum = Math.round(sumOf(usages, name) * 10) / 10;
    return sum > 0 ? [`${number(sum)} ${COUNTS[name]}`] : [];
  });
}

function sumOf(usages: readonly RequestUsage[], name: keyof typeof COUNTS | 'credits'): number {
  return usages.reduce((total, usage) => total + usage[name], 0);
}
