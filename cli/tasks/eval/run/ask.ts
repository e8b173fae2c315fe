import type { ChatCompletionRequest } from '../../../../src/api/chat/chat.ts';
import type { ChatToolCall } from '../../../../src/api/chat/tools.ts';
import { Failure, toFailure } from '../../../../src/base/errors.ts';
import { AskdConnectionError, AskdError } from '../../../../src/client/error.ts';
import { withRetries } from '../../../../src/client/retry.ts';
import type { ToolCall } from '../checks/check.ts';
import type { Sample } from '../results.ts';
import { receiveReply, type Reply } from '../../../chat/reply.ts';
import type { Client } from '../../../client/client.ts';
import type { Costs } from './costs.ts';

/** Nobody is waiting for it, so it gives the server more time. */
export const RETRIES = { maxRetries: 3, maxRetryWaitMs: 60_000 };

export type Asking = { client: Client; costs: Costs; signal: AbortSignal };

export type Asked = Omit<Sample, 'sample' | 'outcome' | 'checks'>;

/** One answer. A request that fails is an error of its sample; only an interruption throws. */
export async function ask(request: ChatCompletionRequest, { client, costs, signal }: Asking): Promise<Asked> {
  const { reply, failure } = await replyTo(client, request, signal);
  if (signal.aborted) throw signal.reason;
  const { code, message } = failure === undefined ? { code: '', message: '' } : toFailure(failure);
  return {
    text: reply?.content ?? '',
    tool_calls: (reply?.toolCalls ?? []).flatMap(toToolCall),
    finish_reason: reply?.finishReason ?? null,
    error: failure === undefined ? null : { code, message },
    first_token_ms: reply?.stats.first_token_ms ?? null,
    tokens_per_second: reply?.stats.tokens_per_second ?? null,
    duration_ms: reply?.stats.total_ms ?? 0,
    prompt_tokens: reply?.usage?.prompt_tokens ?? 0,
    completion_tokens: reply?.usage?.completion_tokens ?? 0,
    cost: await costs.of(reply?.requestId),
  };
}

type Outcome = { reply: Reply | undefined; failure?: unknown };

async function replyTo(
  client: Client,
  request: ChatCompletionRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  let reply: Reply | undefined;
  const receiving = { stream: true, onText: () => undefined, signal, maxRetries: 0 };
  try {
    await withRetries(
      async () => {
        reply = await receiveReply(client, request, receiving);
        const retried = retriedFor(reply.failure);
        if (retried) throw retried;
      },
      { ...RETRIES, signal },
    );
    return { reply, failure: reply?.failure };
  } catch (error) {
    return { reply, failure: reply?.failure ?? error };
  }
}

/** An answer that broke off in the middle is requested again, too. */
function retriedFor(failure: Error | undefined): Error | undefined {
  if (!(failure instanceof Failure) || failure.kind.retry === false) return undefined;
  if (failure.cause instanceof AskdError) return failure.cause;
  const isBroken = failure.code === 'daemon_unreachable';
  return isBroken ? new AskdConnectionError(failure.message, { cause: failure }) : undefined;
}

function toToolCall({ function: called }: ChatToolCall): ToolCall[] {
  return called === undefined ? [] : [{ name: called.name, arguments: parsed(called.arguments) }];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
