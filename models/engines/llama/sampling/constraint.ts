import { LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';
import { createEvaluation, readCosts } from '../../grammar/evaluation/evaluation.ts';
import type { TokenDecoder } from '../generation/token-decoder.ts';

/** The grammar that constrains the next token, if there is one by now. */
export type Constraint = {
  state: () => LlamaGrammarEvaluationState | undefined;
  /** From now on only tokens that fit the grammar are sampled. */
  begin(grammar: Grammar): void;
  /** Throws if the next token would be too costly to constrain. */
  accept(token: number): void;
};

export type Grammar = Awaited<ReturnType<typeof compileGrammar>>;

/** llama.cpp cannot compile larger ones in reasonable time. */
const LENGTH_MAX = 300_000;

export async function compileGrammar(model: LlamaModel, grammar: string) {
  if (grammar.length > LENGTH_MAX) throw refusal('it is too large');
  try {
    const costs = readCosts(grammar);
    return { native: await model.llama.createGrammar({ grammar }), costs };
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw refusal('it is left-recursive or too large', cause);
  }
}

export function createConstraint(model: LlamaModel, decoder: TokenDecoder): Constraint {
  let state: LlamaGrammarEvaluationState | undefined;
  let evaluation: ReturnType<typeof createEvaluation> | undefined;
  return {
    state: () => state,
    begin({ native, costs }) {
      evaluation = createEvaluation(costs);
      state = new LlamaGrammarEvaluationState({ model, grammar: native });
    },
    accept: (token) => evaluation?.accept(decoder.bytesOf(token)),
  };
}

function refusal(why: string, cause?: unknown): Failure {
  return new Failure('unsupported_schema', `The schema cannot be converted to a grammar: ${why}.`, {
    param: 'response_format',
    cause,
  });
}
