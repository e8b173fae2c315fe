import { anySignal } from '../base/any-signal.ts';
import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import type { TokenizeRequest, TokenText } from '../runtime/engine.ts';
import type { Pool } from '../runtime/pool.ts';
import type { Runner } from '../runtime/runner.ts';

type Signals = { client: AbortSignal; daemon: AbortSignal };

export type Tokenizer = ReturnType<typeof createTokenizer>;

/** A model's tokenizer. It loads the model and is free. */
export function createTokenizer({ library, pool }: { library: Library; pool: Pool }) {
  async function withRunner<Result>(
    model: string,
    { client, daemon }: Signals,
    work: (runner: Runner, signal: AbortSignal) => Promise<Result> | undefined,
  ): Promise<Result> {
    const signal = anySignal(client, daemon);
    using lease = await pool.lease(library.resolve(model), signal);
    const result = await work(lease.runner, signal);
    if (result === undefined) throw showsNoTokens(model);
    return result;
  }

  return {
    tokenize: (model: string, request: TokenizeRequest, signals: Signals): Promise<TokenText[]> =>
      withRunner(model, signals, ({ tokenize }, signal) => tokenize?.(request, signal)),
    detokenize: (model: string, tokens: readonly number[], signals: Signals): Promise<string> =>
      withRunner(model, signals, ({ detokenize }, signal) => detokenize?.(tokens, signal)),
  };
}

function showsNoTokens(model: string): Failure {
  return new Failure(
    'model_capability_mismatch',
    `The engine of the model \`${model}\` has no tokenizer API. Use svc-chat-v1.`,
    { param: 'model' },
  );
}
