import { toCaseResult, toModelResult, type Outcome, type Sample } from '../../../cli/tasks/eval/results.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = { p: 'passed', f: 'failed', e: 'error' };

export function sampleOf(outcome: Outcome, text = 'An answer.'): Sample {
  return {
    ...{ sample: 0, outcome, text, tool_calls: [], finish_reason: 'stop', error: null },
    checks: [{ check: 'contains', outcome, reason: outcome === 'passed' ? null : `${text} is wrong` }],
    ...{ first_token_ms: null, tokens_per_second: null, duration_ms: 250 },
    ...{ prompt_tokens: 1, completion_tokens: 2, cost: null },
  };
}

/** The samples of each case as letters: p for passed, f for failed, e for an error. */
export function modelResult(model: string, cases: Record<string, string>) {
  return toModelResult(
    model,
    Object.entries(cases).map(([name, letters]) =>
      toCaseResult(
        name,
        letters.split('').map((letter) => sampleOf(OUTCOMES[letter] ?? 'error')),
      ),
    ),
  );
}
