import { reasonsOf } from './junit.ts';
import type { CaseResult, Difference, ModelResult } from './results.ts';
import type { RunDocument } from './run-document.ts';
import type { Interval } from './statistics/wilson.ts';
import { formatAmount, formatCount } from '../../output/format.ts';
import type { Output } from '../../output/output.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { renderTable } from '../../output/table.ts';

const SHOWN = 20;

/** A run for people: the cases, the models, how they differ, and why cases failed. */
export function reportText(run: RunDocument, output: Output): string {
  const parts = [casesTable(run.models, output), modelsTable(run.models, output)];
  if (output.plain) return parts.join('\n\n');
  const { differences, comparison } = run;
  const lines = [
    ...differences.map((each) => differenceText(each, `${each.second} against ${each.first}`)),
    ...(comparison?.differences ?? []).map((each) =>
      [differenceText(each, `${each.second} since ${comparison?.file ?? ''}`), ...changesText(each)].join(
        '\n',
      ),
    ),
  ].map((text) => text.split('\n').map(sanitiseLine).join('\n'));
  return [...parts, ...lines, ...failuresText(run.models)].join('\n\n');
}

function casesTable(models: readonly ModelResult[], output: Output): string {
  const [first] = models;
  const rows = (first?.cases ?? []).map(({ name }, index) => ({ name, index }));
  return renderTable(
    rows,
    [
      { title: 'CASE', value: ({ name }) => name, shrinks: true },
      ...models.map(({ model, cases }) => ({
        title: sanitiseLine(model),
        value: ({ index }: { index: number }) => verdict(cases[index]),
        shrinks: 'middle' as const,
      })),
    ],
    output,
  );
}

function verdict(result: CaseResult | undefined): string {
  if (result === undefined || result.samples.length === 0) return 'not run';
  const { passed, failed, errors, interval } = result;
  const failing = errors > 0 ? ` ${formatCount(errors, 'error')}` : '';
  if (passed + failed === 0) return failing.trim();
  if (passed + failed === 1) return `${passed === 1 ? 'pass' : 'FAIL'}${failing}`;
  return `${passed}/${passed + failed}  ${percentages(interval)}${failing}`;
}

function modelsTable(models: readonly ModelResult[], output: Output): string {
  return renderTable(
    models,
    [
      { title: 'MODEL', value: ({ model }) => model, shrinks: 'middle' },
      { title: 'PASSED', value: ({ passed, failed }) => `${passed}/${passed + failed}`, align: 'right' },
      { title: 'RATE', value: ({ rate }) => (rate === null ? '-' : percent(rate)), align: 'right' },
      { title: '95 %', value: ({ interval }) => percentages(interval), align: 'right' },
      { title: 'ERRORS', value: ({ errors }) => String(errors), align: 'right' },
      { title: 'FIRST TOKEN', value: ({ first_token_ms: ms }) => inMs(ms), align: 'right' },
      { title: 'TOKENS/S', value: ({ tokens_per_second: speed }) => whole(speed), align: 'right' },
      { title: 'CREDITS', value: ({ cost }) => money(cost), align: 'right' },
    ],
    output,
  );
}

function differenceText({ cases, difference, p, significant, better, worse }: Difference, who: string) {
  if (cases === 0) return `${who}: no case in common`;
  const points = `${difference >= 0 ? '+' : ''}${(difference * 100).toFixed(1)} points`;
  const counted = `${better.length} better and ${worse.length} worse of ${formatCount(cases, 'case')}`;
  const verdict = significant ? 'significant' : 'not significant';
  return `${who}: ${points}, ${counted}, p = ${p.toFixed(p < 0.01 ? 4 : 2)}: ${verdict}`;
}

function changesText({ better, worse }: Difference): string[] {
  const list = (what: string, names: readonly string[]) =>
    names.slice(0, SHOWN).map((name) => `  ${what}  ${name}`);
  return [...list('worse ', worse), ...list('better', better)];
}

/** One reason for each case that did not pass: that of its first bad answer. */
function failuresText(models: readonly ModelResult[]): string[] {
  const bad = models.flatMap(({ model, cases }) =>
    cases.flatMap((each) => {
      const sample =
        each.samples.find(({ outcome }) => outcome === 'failed') ??
        each.samples.find(({ outcome }) => outcome === 'error');
      return sample === undefined ? [] : [{ model, name: each.name, sample }];
    }),
  );
  const shown = bad.slice(0, SHOWN).map(({ model, name, sample }) => {
    const what = sample.outcome === 'error' ? 'ERROR' : 'FAILED';
    const reasons = reasonsOf(sample).map((reason) => `  ${sanitiseLine(reason)}`);
    return [sanitiseLine(`${what}  ${name} (${model})`), ...reasons].join('\n');
  });
  const more = bad.length - shown.length;
  return more > 0 ? [...shown, `${more} more: --json shows all`] : shown;
}

const percent = (share: number) => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`;
const percentages = (interval: Interval | null) =>
  interval === null ? '-' : `${(interval[0] * 100).toFixed(0)}–${(interval[1] * 100).toFixed(0)} %`;
const inMs = (ms: number | null) => (ms === null ? '-' : `${Math.round(ms)} ms`);
const whole = (speed: number | null) => (speed === null ? '-' : speed.toFixed(speed < 10 ? 1 : 0));
const money = (credits: number | null) => (credits === null ? '-' : formatAmount(credits));
