import { anySignal } from '../base/any-signal.ts';
import type { ChatModeration } from '../config/chat-moderation.ts';
import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import { findServiceModel } from '../library/service-models.ts';
import { hasImages, messageText, type ChatPrompt } from '../runtime/engine.ts';
import { readsImages, type ModelManifest } from '../runtime/manifest.ts';
import { withDefaultMessages, withDefaults } from '../runtime/model-defaults.ts';
import type { Lease } from '../runtime/lease.ts';
import type { Pool } from '../runtime/pool.ts';
import { filterAnswer, refuseAnswers } from './chat-filter.ts';
import { generate, stoppedByUs, type ChatInput, type ChatProgress, type Generation } from './chat-run.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Moderate } from './moderate.ts';
import type { Metered, RequestContext } from './metered.ts';
import { measurePrompt } from './prompt-length.ts';
import { reportServed } from './served.ts';

export type { ChatInput, ChatProgress };

export type ChatContext = RequestContext & {
  /** Aborts when the client has disconnected. */
  client: AbortSignal;
  /** Aborts, with a reason, when the daemon cannot continue. */
  daemon: AbortSignal;
};

export type Chat = ReturnType<typeof createChat>;

type Options = {
  library: Library;
  pool: Pool;
  metered: Metered;
  fallbacks: Fallbacks;
  /** Which texts are moderated, and by which model. */
  moderation: ChatModeration;
  moderate: Moderate;
};

export function createChat({ library, pool, metered, fallbacks, moderation, moderate }: Options) {
  const checks = (what: ChatModeration) => moderation === what || moderation === 'both';

  async function* complete(asked: ChatInput, context: ChatContext): AsyncGenerator<ChatProgress> {
    const signal = anySignal(context.client, context.daemon);
    const manifest = resolveChatModel(asked.model, context.attempt?.artifact);
    const input = withDefaults(asked, manifest.defaults);
    refuseUnseen(input, manifest);
    if (input.raw && manifest.engine !== 'llama') throw goesOnWithNothing(input.model);
    using lease = await pool.lease(manifest, signal, context.batch);
    const { runner } = lease;
    context.onStage?.('loaded');
    reportServed(context, manifest, runner);
    const { countTokens } = runner;
    if (!countTokens) throw cannotChat(input.model, 'something else');
    const measured = await measurePrompt({ input, manifest, runner, signal }, countTokens);
    const { promptTokens, contextTokens } = measured;
    const maxTokens = Math.min(outputLimit(input), contextTokens - promptTokens);
    const { model, stream } = input;
    const { accountId, batch } = context;
    const request = { ...context, task: 'chat' as const, model, stream, artifact: manifest.id };
    const counts = { promptTokens };
    yield* metered.run(
      { ...request, counts, completionTokensMax: maxTokens * (input.choices ?? 1) },
      (meter) =>
        inSlot({
          lease,
          input: {
            ...{ ...input, maxTokens, askedTokens: input.maxTokens, cacheSalt: accountId },
            ...(batch && { isInBackground: true }),
            ...(context.isPieceByPiece && { isPieceByPiece: true }),
          },
          context,
          signal,
          meter,
        }),
    );
  }

  /** The credits are already held, so a queued request has them when its turn comes. */
  async function* inSlot({ lease, context, ...generation }: Waiting): AsyncGenerator<ChatProgress> {
    const { signal, meter, input } = generation;
    const { choices = 1 } = input;
    const checkTexts = (texts: readonly string[]) =>
      moderate.allows(texts, { accountId: context.accountId, signal, batch: context.batch });
    const { onStage } = context;
    onStage?.('admitted');
    const stopped = () => (context.client.aborted ? undefined : stoppedByUs(context.daemon));
    try {
      if (checks('input') && !(await checkTexts(wordsOf(input)))) {
        yield* refuseAnswers(choices, meter);
        return;
      }
      const runner = await lease.slot(signal);
      onStage?.('started');
      const progress = generate({ runner, stopped, ...generation, ...(onStage && { onStage }) });
      yield* checks('output') ? filterAnswer({ progress, choices, checkTexts, meter }) : progress;
    } finally {
      if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
    }
  }

  function resolveChatModel(model: string, artifact = model): ModelManifest {
    const service = findServiceModel(model);
    if (service && service.task !== 'chat') throw cannotChat(model, service.category);
    const manifest = library.resolve(artifact);
    if (!manifest.tasks.includes('chat')) throw cannotChat(model, manifest.tasks.join(', '));
    return manifest;
  }

  /** The size of the prompt and of the context. Loads the model; costs nothing. */
  async function count(
    asked: ChatPrompt & Pick<ChatInput, 'model'>,
    { client, daemon }: Pick<ChatContext, 'client' | 'daemon'>,
  ): Promise<{ promptTokens: number; contextTokens: number }> {
    const signal = anySignal(client, daemon);
    const manifest = resolveChatModel(asked.model);
    const input = withDefaultMessages(asked, manifest.defaults);
    refuseUnseen(input, manifest);
    using lease = await pool.lease(manifest, signal);
    const { countTokens, description } = lease.runner;
    if (!countTokens) throw cannotChat(input.model, 'something else');
    return { promptTokens: await countTokens(input, signal), contextTokens: description.contextTokens };
  }

  return {
    /** Nothing happens before the first `next()`. All errors of the request are thrown before the first event. */
    complete: (asked: ChatInput, context: ChatContext): AsyncGenerator<ChatProgress> =>
      fallbacks.stream(asked.model, context, (each) => complete(asked, each), isPrompt),
    count,
    /** Rejects a name that is not a chat model, without loading anything. */
    check: (model: string) => void resolveChatModel(model, library.firstRunnable(model)),
  };
}

const isPrompt = ({ type }: ChatProgress): boolean => type === 'prompt';

/** Texts written by the client or one of its tools. */
function wordsOf({ messages }: Pick<ChatInput, 'messages'>): string[] {
  const reported = messages.filter(({ role }) => role === 'user' || role === 'tool');
  return reported.map(messageText).filter((text) => text.trim() !== '');
}

type Waiting = Omit<Generation, 'runner' | 'stopped'> & { lease: Lease; context: ChatContext };

/** Checked before the model is loaded. For upstream models, only their server knows what they accept. */
function refuseUnseen(
  { model, messages }: Pick<ChatInput, 'model' | 'messages'>,
  manifest: ModelManifest,
): void {
  if (readsImages(manifest) || !messages.some(hasImages)) return;
  throw new Failure(
    'model_capability_mismatch',
    `The model \`${model}\` does not accept images. Use svc-vision-v1 (askd pull svc-vision-v1).`,
    { param: 'messages' },
  );
}

function goesOnWithNothing(model: string): Failure {
  return new Failure(
    'model_capability_mismatch',
    `The model \`${model}\` supports chat but not text completion. Use svc-code-v1.`,
    { param: 'model' },
  );
}

function outputLimit({ model, maxTokens }: Pick<ChatInput, 'model' | 'maxTokens'>): number {
  const most = findServiceModel(model)?.outputTokensMax ?? Number.MAX_SAFE_INTEGER;
  if (maxTokens === undefined) return most;
  if (maxTokens <= most) return maxTokens;
  throw new Failure(
    'invalid_value',
    `max_tokens is ${maxTokens}, but "${model}" generates at most ${most} tokens.`,
    {
      param: 'max_tokens',
    },
  );
}

function cannotChat(model: string, does: string): Failure {
  return new Failure(
    'model_capability_mismatch',
    `The model \`${model}\` is for ${does}, not for chat. Chat models: svc-chat-v1, svc-code-v1, or an imported one.`,
    { param: 'model' },
  );
}
