import type { Client } from './client.ts';
import type { Faults } from './faults.ts';
import type { Sample } from './samples.ts';

/** After the first half hour. A shorter run only shows a leak that is fast. */
const WARM_UP_MINUTES = 30;
const GROWTH_MAX = 0.05;
const GROWTH_MAX_OF_SHORT_RUN = 0.3;
/** Connections come and go, and a pull opens some. */
const FILES_MAX = 20;
const SHOWN_MAX = 20;

export type Outcome = {
  samples: readonly Sample[];
  client: Client;
  faults: Faults;
  wasFilled: boolean;
  audit: readonly { invariant: string; detail: string }[];
  logged: readonly string[];
  hasEnded: boolean;
  deliveries: number;
};

/** Everything that a run found wrong; memory counts once it has warmed up. */
export function findingsOf({ samples, client, audit, logged, hasEnded }: Outcome): string[] {
  const { minute: minutes } = samples.at(-1) ?? { minute: 0 };
  const isLong = minutes >= 2 * WARM_UP_MINUTES;
  const warmUpMinutes = isLong ? WARM_UP_MINUTES : minutes / 3;
  const warm = samples.filter(({ minute }) => minute >= warmUpMinutes);
  const third = Math.floor(warm.length / 3);
  return [
    ...[...client.findings].map(([what, count]) => `${count} times: ${what}`),
    ...audit.map(({ invariant, detail }) => `ledger: ${invariant} (${detail})`),
    ...logged.map((line) => `log: ${line.slice(0, 300)}`),
    ...(hasEnded ? ['the daemon has ended'] : []),
    ...(third < 3
      ? []
      : growth(warm.slice(0, third), warm.slice(-third), isLong ? GROWTH_MAX : GROWTH_MAX_OF_SHORT_RUN)),
  ];
}

function growth(early: readonly Sample[], late: readonly Sample[], shareMax: number): string[] {
  const rss = [early, late].map((part) => median(part.map(({ rssMegabytes }) => rssMegabytes))) as [
    number,
    number,
  ];
  const files = [early, late].map((part) => median(part.map(({ openFiles }) => openFiles))) as [
    number,
    number,
  ];
  const share = rss[1] / rss[0] - 1;
  return [
    ...(share > shareMax
      ? [`memory grew by ${(share * 100).toFixed(1)} %: ${rss.map(Math.round).join(' to ')} MB`]
      : []),
    ...(files[1] - files[0] > FILES_MAX ? [`open files grew from ${files.join(' to ')}`] : []),
  ];
}

export function render(outcome: Outcome, findings: readonly string[]): string {
  const { samples, client, faults, wasFilled, deliveries } = outcome;
  const step = Math.max(1, Math.ceil(samples.length / SHOWN_MAX));
  const shown = samples.filter((_, index) => index % step === step - 1 || index === samples.length - 1);
  const refusals = [...client.refusals].map(([code, count]) => `${code} ${count}`).join(', ');
  return [
    '  minute  memory MB  open files  light p50 ms  light p99 ms  requests',
    ...shown.map(({ minute, rssMegabytes, openFiles, p50Ms, p99Ms, requests }) =>
      [
        minute.toFixed(1).padStart(8),
        rssMegabytes.toFixed(0).padStart(9),
        String(openFiles).padStart(10),
        p50Ms.toFixed(1).padStart(12),
        p99Ms.toFixed(1).padStart(12),
        String(requests).padStart(8),
      ].join('  '),
    ),
    `${client.counts.answered} answered, ${client.counts.left} clients left, ${deliveries} webhook deliveries received.`,
    `Refused as the contract has it: ${refusals || 'none'}.`,
    `${faults.kills} runners killed; the clock set ${faults.steps} times, by an hour; the disk was ${wasFilled ? `full ${faults.fills} times` : 'not filled, as that needs root on Linux'}.`,
    ...(findings.length === 0 ? ['Nothing was found.'] : ['FOUND:', ...findings.map((each) => `  ${each}`)]),
  ].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
