import { LlamaGrammarEvaluationState, type LlamaModel } from 'node-llama-cpp';
import { Failure } from '../../../../src/base/errors.ts';

/** The grammar that bounds the next token, if there is one by now. */
export type Constraint = {
  state: () => LlamaGrammarEvaluationState | undefined;
  /** From now on only tokens that fit the grammar are sampled. */
  begin(grammar: Grammar): void;
};

export type Grammar = Awaited<ReturnType<typeof compileGrammar>>;

/** llama.cpp cannot compile larger ones in reasonable time. */
const LENGTH_MAX = 1_000_000;

export async function compileGrammar(model: LlamaModel, grammar: string) {
  if (grammar.length > LENGTH_MAX) throw refusal('it is too large');
  try {
    return await model.llama.createGrammar({ grammar });
  } catch (cause) {
    throw refusal('it is left-recursive or too large', cause);
  }
}

export function createConstraint(model: LlamaModel): Constraint {
  let state: LlamaGrammarEvaluationState | undefined;
  return {
    state: () => state,
    begin: (grammar) => void (state = new LlamaGrammarEvaluationState({ model, grammar })),
  };
}

function refusal(why: string, cause?: unknown): Failure {
  return new Failure('unsupported_schema', `The schema cannot be converted to a grammar: ${why}.`, {
    param: 'response_format',
    cause,
  });
}
