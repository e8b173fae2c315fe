import type { CheckStep, ModelCheck } from '../../src/api/management/check.ts';
import { toIso } from '../../src/base/clock.ts';
import type { Check } from '../../src/check/kept-checks.ts';
import type { StepResult } from '../../src/check/step.ts';

export function toCheck(check: Check): ModelCheck {
  const { artifact, verdict, summary, isFull, steps, tokensPerSecond, checkedAt } = check;
  return {
    artifact,
    verdict,
    summary,
    is_full: isFull,
    steps: steps.map(toCheckStep),
    tokens_per_second: { ...tokensPerSecond },
    checked_at: toIso(checkedAt),
  };
}

export function toCheckStep({ name, status, message, seconds }: StepResult): CheckStep {
  return { name, status, message, seconds };
}
