import { readGbnf } from '../gbnf-reader.ts';
import { tooAmbiguous } from '../too-costly.ts';
import { checkAhead, PLACES_MAX } from './lookahead.ts';
import { createPositions, type Position, type Positions } from './positions.ts';

/** What an answer may need in total: some places with many alternatives, and few on average. */
const PLACES_AT_ONCE = 10_000;
const PLACES_PER_TOKEN = 32;
/** How many tokens are tried one after the other before anything runs. */
const TRIED_TOKENS = 4;

/** The state of a grammar's cost checks, shared by the answers of one request. */
export type CostlyGrammar = { positions: Positions; checked: Set<string> };

/** Throws if the beginning of the grammar is too costly. */
export function readCosts(grammar: string): CostlyGrammar {
  const positions = createPositions(readGbnf(grammar));
  let at: ReadonlySet<Position> = new Set(positions.start().positions);
  for (let token = 0; token < TRIED_TOKENS; token++) {
    at = checkAhead(at, positions);
  }
  return { positions, checked: new Set() };
}

/** Follows an answer, so that llama.cpp never tries a token that could take long. */
export function createEvaluation({ positions, checked }: CostlyGrammar) {
  const decoder = new TextDecoder();
  let at: ReadonlySet<Position> = new Set(positions.start().positions);
  let places = 0;
  let tokens = 0;
  check();

  function check(): void {
    places += at.size;
    const allowed = PLACES_AT_ONCE + tokens * PLACES_PER_TOKEN;
    if (at.size > PLACES_MAX || places > allowed) throw tooAmbiguous();
    const key = [...at].map(({ id }) => id).join(' ');
    if (checked.has(key)) return;
    checkAhead(at, positions);
    checked.add(key);
  }

  return {
    /** The bytes of a token of the answer. */
    accept(bytes: Uint8Array): void {
      tokens += 1;
      for (const character of decoder.decode(bytes, { stream: true })) {
        const code = character.codePointAt(0) ?? 0;
        at = new Set([...at].flatMap((position) => positions.step(position, code)?.positions ?? []));
      }
      check();
    },
  };
}
