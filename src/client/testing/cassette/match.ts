import { basename } from 'node:path';
import { Failure } from '../../../base/errors.ts';
import { comparableOf, differences } from './difference.ts';
import type { Cassette, Exchange, RecordedRequest } from './exchange.ts';
import { lineOf } from './file.ts';
import { compileRules, type Comparison } from './rules.ts';

export type Matcher = ReturnType<typeof createMatcher>;

const SHOWN_DIFFERENCES = 8;

/**
 * Finds the exchanges of equal requests in recorded order. After the last, that one is repeated, unless each may be
 * given only once.
 */
export function createMatcher(
  { exchanges, ...cassette }: Cassette,
  { strict = false }: { strict?: boolean } = {},
) {
  const rules = compileRules(cassette);
  const byRequest = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const key = keyOf(exchange.request, rules);
    byRequest.set(key, [...(byRequest.get(key) ?? []), exchange]);
  }
  const given = new Map<string, number>();

  return {
    find(request: RecordedRequest): Exchange | undefined {
      const key = keyOf(request, rules);
      const equal = byRequest.get(key) ?? [];
      const turn = given.get(key) ?? 0;
      const found = equal[strict ? turn : Math.min(turn, equal.length - 1)];
      if (found) given.set(key, turn + 1);
      return found;
    },
    /** Shows the nearest recorded request, so that a test says at once what differs. */
    noMatch(request: RecordedRequest, file: string): Failure {
      const name = basename(file);
      const what = `${request.method} ${request.path}`;
      const details = { fix: `askd record ${file} --update new -- COMMAND` };
      const times = byRequest.get(keyOf(request, rules))?.length ?? 0;
      if (times > 0) {
        const again = `${name} has ${what} ${times === 1 ? 'once' : `${times} times`}, and it was requested once more.`;
        return new Failure('cassette_no_match', again, { details });
      }
      const nearest = nearestOf(request, exchanges, rules);
      if (!nearest)
        return new Failure('cassette_no_match', `${name} has no requests, so it does not have ${what}.`, {
          details,
        });
      const { line, differing } = nearest;
      const shown = differing.slice(0, SHOWN_DIFFERENCES);
      const more = differing.length > shown.length ? `; and ${differing.length - shown.length} more` : '';
      const message = `${name} does not have this request, ${what}. The nearest is on line ${line}: ${shown.join('; ')}${more}.`;
      return new Failure('cassette_no_match', message, {
        details: { nearest_line: line, differences: shown, ...details },
      });
    },
  };
}

/** Equal for requests that get the same answer. */
export function keyOf(request: RecordedRequest, rules: Comparison): string {
  return JSON.stringify(comparableOf(request, rules)) ?? '';
}

function nearestOf(request: RecordedRequest, exchanges: readonly Exchange[], rules: Comparison) {
  const asked = comparableOf(request, rules);
  const [nearest] = exchanges
    .map(({ request: recorded }, index) => {
      const isOther = recorded.path !== request.path || recorded.method !== request.method;
      return {
        line: lineOf(index),
        isOther,
        differing: differences(asked, comparableOf(recorded, rules), rules),
      };
    })
    .sort((a, b) => Number(a.isOther) - Number(b.isOther) || a.differing.length - b.differing.length);
  return nearest;
}
