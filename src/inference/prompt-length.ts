import { contextLengthExceeded, withFix } from '../base/context-length.ts';
import { Failure } from '../base/errors.ts';
import type { ChatPrompt } from '../runtime/engine.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Runner } from '../runtime/runner.ts';

type Measuring = { input: ChatPrompt; manifest: ModelManifest; runner: Runner; signal: AbortSignal };

type CountTokens = NonNullable<Runner['countTokens']>;

/** What remains of a conversation that an agent has compacted: a summary, and the next thing to do. */
const CONVERSATION_TOKENS = 1024;
/** Suggested contexts are multiples of this. */
const STEP = 4096;
/** Multiplied with the prompt, so that there is room for an answer and a few turns. */
const ROOM = 1.5;

/** Counts the prompt before anything is queued: a prompt that can never fit is rejected at once. */
export async function measurePrompt(measuring: Measuring, countTokens: CountTokens) {
  const { input, runner, signal } = measuring;
  const { contextTokens, countsAreEstimates } = runner.description;
  try {
    const promptTokens = await countTokens(input, signal);
    // We cannot count tokens without the tokenizer, so the upstream server enforces the limit.
    if (countsAreEstimates) return { promptTokens, contextTokens: contextTokens + promptTokens };
    if (promptTokens < contextTokens) return { promptTokens, contextTokens };
    const param = input.raw ? 'prompt' : 'messages';
    throw contextLengthExceeded({ promptTokens, contextTokens, param });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'context_length_exceeded') throw error;
    throw await refusalOf(error, measuring, countTokens);
  }
}

async function refusalOf(failure: Failure, measuring: Measuring, countTokens: CountTokens): Promise<Failure> {
  const { manifest, runner } = measuring;
  const { contextTokens } = runner.description;
  const promptTokens = Number(failure.details['n_prompt_tokens'] ?? contextTokens);
  const fix = fixFor(promptTokens, contextTokens, manifest);
  const standingTokens = await countStanding(measuring, countTokens);
  const isHopeless =
    standingTokens > contextTokens / 2 && standingTokens + CONVERSATION_TOKENS >= contextTokens;
  if (isHopeless) return contextTooSmall({ standingTokens, contextTokens, fix });
  return withFix(failure, fix);
}

/** What every request of this client has: its system prompt and its tools. */
async function countStanding({ input, signal }: Measuring, countTokens: CountTokens): Promise<number> {
  const system = input.messages.filter(({ role }) => role === 'system');
  const tools = input.tools ?? [];
  if (input.raw || (system.length === 0 && tools.length === 0)) return 0;
  const { tools: offered, toolChoice, parallelToolCalls } = input;
  const standing: ChatPrompt = {
    messages: [...system, { role: 'user', content: 'Hi' }],
    ...(offered && { tools: offered }),
    ...(toolChoice && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
  };
  try {
    return await countTokens(standing, signal);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'context_length_exceeded') throw error;
    return Number(error.details['n_prompt_tokens'] ?? Infinity);
  }
}

type TooSmall = { standingTokens: number; contextTokens: number; fix: string };

/**
 * Agents react to an exceeded context by compacting the conversation and retrying. If that cannot help they would
 * loop forever, so this is a different error, without the words that they look for.
 */
function contextTooSmall({ standingTokens, contextTokens, fix }: TooSmall): Failure {
  return new Failure(
    'context_too_small',
    `The system prompt and the tools alone take ${standingTokens} tokens, but the model has a context of ` +
      `${contextTokens} tokens, so no conversation fits. Send fewer tools, or: ${fix}`,
    { param: 'messages', details: { n_prompt_tokens: standingTokens, n_ctx: contextTokens, fix } },
  );
}

function fixFor(
  promptTokens: number,
  contextTokens: number,
  { contextTokensMax: trained }: ModelManifest,
): string {
  if (contextTokens >= trained || promptTokens >= trained) {
    return 'askd models lists models with a longer context';
  }
  const wanted = Math.min(trained, Math.ceil((promptTokens * ROOM) / STEP) * STEP);
  return `askd config set model_context_tokens ${wanted} && askd restart`;
}
