import { TokenBias, type LlamaModel, type Token } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';
import type { TokenDecoder } from '../generation/token-decoder.ts';
import { afterBytes, BETWEEN, type Utf8State } from '../generation/utf8.ts';

export type LogitBias = Readonly<Record<string, number>>;
export type LogitBiases = readonly (readonly [Token, number])[];

const BAN = -100;
/** Below everything that fits a grammar and above what does not: otherwise a document could not continue without it. */
const LAST_RESORT = -10_000;
/** Far enough above everything else to be chosen, close enough to keep the differences between such tokens. */
const LIFT = 256;

/** Biases are applied literally, even to end-of-generation tokens, which the library's own option leaves out. */
export function createTokenBias(model: LlamaModel, wanted: Iterable<readonly [Token, number]>): TokenBias {
  const bias = new TokenBias(model.tokenizer);
  const entries = (bias as unknown as { _biases: Map<Token, number> })._biases;
  for (const [token, value] of wanted) entries.set(token, value);
  return bias;
}

/** A banned token gets this in place of the requested bias. */
export function withBans(wanted: Iterable<readonly [Token, number]>, ban: number): [Token, number][] {
  return Array.from(wanted, ([token, value]) => [token, value <= BAN ? ban : value]);
}

/** Token ids, or the Failure that names one that this model does not have. */
export function readLogitBias(logitBias: LogitBias, vocabularySize: number): [Token, number][] {
  return Object.entries(logitBias).map(([name, value]) => {
    const token = Number(name);
    if (/^\d+$/.test(name) && token < vocabularySize) return [token as Token, value];
    throw new Failure(
      'invalid_value',
      `"${name}" is not a token of this model: its tokens are 0 to ${vocabularySize - 1}.`,
      { param: `logit_bias[${name}]` },
    );
  });
}

export type CharacterGuard = {
  accept(token: Token): void;
  /** Bans tokens that would leave a broken character, on top of the requested bias. */
  bias(): TokenBias;
};

/**
 * Grammars match characters and do not check whether bytes form one. A model that stops inside a character would
 * break the document, so the next token must complete it.
 */
export function createCharacterGuards(model: LlamaModel, decoder: TokenDecoder, vocabularySize: number) {
  const fittingIn = new Map<string, readonly Token[]>();
  let split: readonly Token[] | undefined;
  let wrongAtFirst: readonly [Token, number][] | undefined;

  const isBefore = (state: Utf8State, token: Token): boolean => {
    const bytes = decoder.bytesOf(token);
    return (state.left === 0 || bytes.length > 0) && afterBytes(state, bytes) !== undefined;
  };
  const splitTokens = () => (split ??= decoder.splitTokens() as readonly Token[]);

  function fitting(state: Utf8State): readonly Token[] {
    const key = `${state.left} ${state.low} ${state.high}`;
    const tokens = fittingIn.get(key) ?? splitTokens().filter((token) => isBefore(state, token));
    fittingIn.set(key, tokens);
    return tokens;
  }

  /**
   * Between characters, continuation bytes are banned; inside one, where almost nothing fits, the valid tokens are
   * raised.
   */
  function limits(state: Utf8State, wanted: readonly [Token, number][], isScaled: boolean) {
    if (state.left === 0) {
      wrongAtFirst ??= bans(splitTokens().filter((token) => !isBefore(state, token)));
      return [...wanted, ...wrongAtFirst];
    }
    if (isScaled) {
      const right = new Set(fitting(state));
      const all = Array.from({ length: vocabularySize }, (_, token) => token as Token);
      return [...wanted, ...bans(all.filter((token) => !right.has(token)))];
    }
    const requested = new Map(wanted);
    return fitting(state).map((token): [Token, number] => [token, LIFT + (requested.get(token) ?? 0)]);
  }

  /** `isScaled` is true if penalties multiply logits, which would not shift a raised token along with the others. */
  return (wanted: LogitBiases, isScaled: boolean): CharacterGuard => {
    const biases = new Map<Utf8State, TokenBias>();
    const requested = withBans(wanted, LAST_RESORT);
    let state = BETWEEN;
    return {
      accept: (token) => void (state = afterBytes(state, decoder.bytesOf(token)) ?? BETWEEN),
      bias() {
        const bias = biases.get(state) ?? createTokenBias(model, limits(state, requested, isScaled));
        biases.set(state, bias);
        return bias;
      },
    };
  };
}

function bans(tokens: readonly Token[]): [Token, number][] {
  return tokens.map((token) => [token, -Infinity]);
}
