import { toIso } from '../base/clock.ts';
import type { Check } from './kept-checks.ts';
import type { StepResult } from './step.ts';

/** Speeds of the same model on the same machine differ by less than this unless something is wrong. */
const SLOWER_SHARE = 0.6;

/** Marks the speed as weak if an earlier check of the same file was much faster. */
export function againstEarlier(steps: readonly StepResult[], earlier: Check | undefined): StepResult[] {
  const before = earlier?.tokensPerSecond['1'];
  return steps.map((step) => {
    const now = step.tokensPerSecond?.['1'];
    if (!earlier || before === undefined || now === undefined || now >= before * SLOWER_SHARE) return step;
    const [day] = toIso(earlier.checkedAt).split('T');
    const message = `${step.message}; slower than when it was checked on ${day}: ${before} tokens/s then`;
    return { ...step, status: 'weak' as const, message };
  });
}
