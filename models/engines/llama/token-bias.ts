import { TokenBias, type LlamaModel, type Token } from 'node-llama-cpp';
import { Failure } from '../../../src/errors.ts';
import type { TokenBytes } from './token-bytes.ts';
import { afterBytes, BETWEEN, type Utf8State } from './utf8.ts';

export type LogitBias = Readonly<Record<string, number>>;

const BAN = -100;
/** Below all else that fits a grammar, and above what does not: a document could not go on without it. */
const LAST_RESORT = -10_000;

/** What is asked for is meant literally, for the tokens that end an answer too, which the library's own way leaves out. */
export function createTokenBias(model: LlamaModel, wanted: Iterable<readonly [Token, number]>): TokenBias {
  const bias = new TokenBias(model.tokenizer);
  const entries = (bias as unknown as { _biases: Map<Token, number> })._biases;
  for (const [token, value] of wanted) entries.set(token, value);
  return bias;
}

/** What a banned token gets instead of what was asked for. */
export function withBans(wanted: Iterable<readonly [Token, number]>, ban: number): [Token, number][] {
  return Array.from(wanted, ([token, value]) => [token, value <= BAN ? ban : value]);
}

/** Numbers of tokens, or the Failure that names the one that this model does not have. */
export function readLogitBias(logitBias: LogitBias, vocabularySize: number): [Token, number][] {
  return Object.entries(logitBias).map(([name, value]) => {
    const token = Number(name);
    if (/^\d+$/.test(name) && token < vocabularySize) return [token as Token, value];
    throw new Failure(
      'invalid_value',
      `"${name}" is no token of this model: it has the tokens 0 to ${vocabularySize - 1}.`,
      { param: `logit_bias[${name}]` },
    );
  });
}

export type CharacterGuard = {
  accept(token: Token): void;
  /** Leaves only what makes whole characters, beside what the request asks for. */
  bias(): TokenBias;
};

/**
 * Grammars read characters and do not see whether their bytes make one. A model that stops in the middle of a character
 * would break the document, so the next token must go on with it.
 */
export function createCharacterGuards(model: LlamaModel, tokenBytes: TokenBytes, vocabularySize: number) {
  const wrongIn = new Map<string, [Token, number][]>();

  function wrongAfter(state: Utf8State): [Token, number][] {
    const key = `${state.left} ${state.low} ${state.high}`;
    const known = wrongIn.get(key);
    if (known) return known;
    const tokens = Array.from({ length: vocabularySize }, (_, token) => token as Token);
    const isWrong = (token: Token) => {
      const bytes = tokenBytes(token);
      return state.left > 0 && bytes.length === 0 ? true : !afterBytes(state, bytes);
    };
    const wrong = tokens.filter(isWrong).map((token): [Token, number] => [token, -Infinity]);
    wrongIn.set(key, wrong);
    return wrong;
  }

  return (wanted: readonly (readonly [Token, number])[]): CharacterGuard => {
    const biases = new Map<Utf8State, TokenBias>();
    const fitting = withBans(wanted, LAST_RESORT);
    let state = BETWEEN;
    return {
      accept: (token) => void (state = afterBytes(state, tokenBytes(token)) ?? BETWEEN),
      bias() {
        const bias = biases.get(state) ?? createTokenBias(model, [...fitting, ...wrongAfter(state)]);
        biases.set(state, bias);
        return bias;
      },
    };
  };
}
