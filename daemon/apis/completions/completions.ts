import type {
  CompletionRequest,
  TextChoice,
  TextCompletion,
  TextLogprobs,
} from '../../../src/api/chat/completions.ts';
import type { Usage } from '../../../src/api/chat/chat.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { ChatInput, ChatProgress } from '../../../src/inference/chat.ts';
import type { Logprob } from '../../../src/runtime/engine.ts';
import { readFormat } from '../chat/response-format.ts';
import { readSampling } from '../chat/input.ts';
import { predictions } from '../chat/output.ts';
import { createCounts } from '../chat/usage.ts';

/** The inputs of a text completion; one per prompt. */
export function toTextInputs(body: CompletionRequest): ChatInput[] {
  const { suffix, logprobs, logit_bias: bias } = body;
  const format = readFormat(body);
  return promptsOf(body.prompt).map((text) => ({
    model: body.model,
    messages: [],
    raw: { text, ...(suffix !== undefined && { suffix }) },
    stream: body.stream ?? false,
    maxTokens: body.max_tokens ?? body.n_predict ?? 16,
    stop: body.stop === undefined ? [] : [body.stop].flat(),
    sampling: readSampling(body),
    ...(format && { format }),
    ...((body.n ?? 1) > 1 && { choices: body.n ?? 1 }),
    ...(logprobs !== undefined && { logprobs: { top: logprobs } }),
    ...(bias && Object.keys(bias).length > 0 && { logitBias: bias }),
  }));
}

type Prompt = string | readonly number[];

/** One text, one list of tokens, or several of either. */
function promptsOf(prompt: CompletionRequest['prompt']): Prompt[] {
  if (typeof prompt === 'string') return [prompt];
  const tokens = prompt.filter((one) => typeof one === 'number');
  if (tokens.length === prompt.length) return [tokens];
  return prompt.filter((one) => typeof one !== 'number');
}

/** Rules that the schema of a single field cannot express. */
export function checkTextRequest({
  prompt,
  echo,
  logprobs,
  stream,
  stream_options: options,
}: CompletionRequest): void {
  if (options && !stream) {
    throw new Failure('invalid_value', '"stream_options" needs "stream": true.', { param: 'stream_options' });
  }
  if (echo && promptsOf(prompt).some((one) => typeof one !== 'string'))
    throw new Failure('unsupported_parameter', '"echo" requires text prompts, not tokens.', {
      param: 'echo',
    });
  if (!echo || logprobs === undefined) return;
  throw new Failure(
    'unsupported_parameter',
    '"logprobs" are only available for generated tokens, not for an echoed prompt. Omit "logprobs" or "echo".',
    { param: 'logprobs' },
  );
}

/** An event of one of the prompts. */
export type TextProgress = { prompt: number; event: ChatProgress };

export type Texting = { id: string; created: number; body: CompletionRequest; fingerprint: () => string };

/** The choices of the first prompt come first. */
export async function* toTextChunks(
  { id, created, body, fingerprint }: Texting,
  progress: AsyncIterable<TextProgress>,
): AsyncGenerator<TextCompletion> {
  const { model, n = 1, echo = false } = body;
  const prompts = promptsOf(body.prompt);
  const counts = prompts.map(createCounts);
  const offsets = new Map<number, number>();
  const includesUsage = body.stream_options?.include_usage ?? false;
  const base = () => ({
    ...{ id, object: 'text_completion' as const, created, model },
    system_fingerprint: fingerprint(),
  });
  // Each prompt of a batch has its own timings, but a response has room for only one.
  const timings = () => (counts.length === 1 ? { timings: counts[0]?.timings() } : {});
  const chunk = (index: number, part: Partial<TextChoice>): TextCompletion => ({
    ...base(),
    choices: [{ text: '', index, logprobs: null, finish_reason: null, ...part }],
    ...(part.finish_reason && !includesUsage && timings()),
    ...(includesUsage && { usage: null }),
  });
  for await (const { prompt, event } of progress) {
    counts[prompt]?.add(event);
    const first = prompt * n;
    if (event.type === 'prompt' && echo) {
      for (let choice = 0; choice < n; choice++)
        yield chunk(first + choice, { text: String(prompts[prompt] ?? '') });
    }
    if (event.type === 'text') {
      const index = first + (event.choice ?? 0);
      const offset = offsets.get(index) ?? 0;
      offsets.set(index, offset + event.text.length);
      yield chunk(index, {
        text: event.text,
        ...(event.logprobs && { logprobs: toLogprobs(event.logprobs, offset) }),
      });
    }
    if (event.type === 'end') yield chunk(first + (event.choice ?? 0), { finish_reason: event.reason });
  }
  yield { ...base(), choices: [], usage: usageOf(counts), ...timings() };
}

/** Collects the chunks. */
export async function collectText(
  texting: Texting,
  progress: AsyncIterable<TextProgress>,
): Promise<TextCompletion> {
  const choices: TextChoice[] = [];
  let last: Partial<TextCompletion> = {};
  for await (const chunk of toTextChunks(texting, progress)) {
    last = chunk;
    for (const part of chunk.choices) {
      const choice = (choices[part.index] ??= { ...part, text: '', logprobs: null });
      choice.text += part.text;
      choice.finish_reason = part.finish_reason ?? choice.finish_reason;
      if (part.logprobs) choice.logprobs = joined(choice.logprobs, part.logprobs);
    }
  }
  const { id, created, body } = texting;
  const head = { id, object: 'text_completion' as const, created, model: body.model };
  return { ...head, ...last, choices };
}

function joined(before: TextLogprobs | null, after: TextLogprobs): TextLogprobs {
  if (!before) return after;
  return {
    tokens: [...before.tokens, ...after.tokens],
    token_logprobs: [...before.token_logprobs, ...after.token_logprobs],
    top_logprobs: [...before.top_logprobs, ...after.top_logprobs],
    text_offset: [...before.text_offset, ...after.text_offset],
  };
}

function toLogprobs(reported: readonly Logprob[], start: number): TextLogprobs {
  let offset = start;
  return {
    tokens: reported.map(({ token }) => token),
    token_logprobs: reported.map(({ logprob }) => logprob),
    top_logprobs: reported.map(({ top }) =>
      Object.fromEntries(top.map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: reported.map(({ token }) => {
      const at = offset;
      offset += token.length;
      return at;
    }),
  };
}

function usageOf(counts: readonly ReturnType<typeof createCounts>[]): Usage {
  const all = counts.map((each) => each.now());
  const sum = (name: keyof (typeof all)[number]) => all.reduce((total, each) => total + each[name], 0);
  const [prompt, completion] = [sum('promptTokens'), sum('completionTokens')];
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: sum('cachedTokens') },
    completion_tokens_details: {
      reasoning_tokens: sum('reasoningTokens'),
      ...predictions({ draftedTokens: sum('draftedTokens'), acceptedTokens: sum('acceptedTokens') }),
    },
  };
}
