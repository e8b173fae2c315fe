import { Failure } from '../../../src/base/errors.ts';
import { checkedMatch, type Rules } from '../../../src/client/testing/cassette/rules.ts';

/** Reads rules such as `body.tools=set`. */
export function readMatchRules(texts: readonly string[]): Rules['match'] {
  return checkedMatch(
    Object.fromEntries(
      texts.map((text) => {
        const at = text.indexOf('=');
        if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
        throw new Failure('invalid_value', `--match "${text}" is not FIELD=RULE.`, {
          details: { fix: "--match body.tools=set, or --match 'body.user=/[0-9]+/'" },
        });
      }),
    ),
  );
}
