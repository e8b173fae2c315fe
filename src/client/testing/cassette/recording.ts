import type { Cassette, RecordedRequest } from './exchange.ts';
import { describeResponse } from './describe-response.ts';
import type { Captured } from './forward.ts';
import { keyOf } from './match.ts';
import { inStableOrder, type Timed } from './order.ts';
import type { Redactor } from './redact.ts';
import { compileRules } from './rules.ts';

/** What has been recorded so far, after what was there before. */
export function createRecording({ exchanges, ...rules }: Cassette, places: readonly string[] = []) {
  const comparison = compileRules(rules);
  const timed: Timed[] = [];

  return {
    /** Starts an exchange and returns a function that ends it. */
    begin(request: RecordedRequest) {
      const startMs = performance.now();
      return (captured: Captured, redactor: Redactor): void => {
        const response = describeResponse(captured, redactor);
        timed.push({ request, response, key: keyOf(request, comparison), startMs, endMs: performance.now() });
      };
    },
    current: (): Cassette => ({ ...rules, exchanges: [...exchanges, ...inStableOrder(timed, places)] }),
  };
}
