import type { ChatCompletionChunk, ToolCallDelta } from '../../../../../../../src/api/chat/chat.ts';
import { emptyChoice, type AnswerTurn, type Call, type Choice, type Numbers } from './turn.ts';

type ChunkChoice = ChatCompletionChunk['choices'][number];

/** The answer with what a chunk adds to it, `ms` after the request was sent. */
export function addChunk(answer: AnswerTurn, chunk: ChatCompletionChunk, ms: number): AnswerTurn {
  const choices = [...answer.choices];
  let { firstMs, reasoningMs } = answer;
  for (const part of chunk.choices) {
    const before = choices[part.index] ?? emptyChoice();
    choices[part.index] = addPart(before, part);
    const { content, reasoning_content: reasoning, tool_calls: calls } = part.delta;
    if (content || reasoning || calls) firstMs ??= ms;
    if (reasoning) reasoningMs = ms - (firstMs ?? ms);
  }
  return {
    ...answer,
    state: 'streaming',
    choices: Array.from(choices, (choice) => choice ?? emptyChoice()),
    totalMs: ms,
    ...(firstMs !== undefined && { firstMs }),
    ...(reasoningMs !== undefined && { reasoningMs }),
    ...(chunk.usage && { numbers: toNumbers(chunk) }),
  };
}

function addPart(choice: Choice, { delta, logprobs, finish_reason, stop_detail }: ChunkChoice): Choice {
  return {
    ...choice,
    content: choice.content + (delta.content ?? ''),
    reasoning: choice.reasoning + (delta.reasoning_content ?? ''),
    ...(delta.tool_calls && { calls: delta.tool_calls.reduce(addCall, choice.calls) }),
    ...(logprobs && { tokens: [...choice.tokens, ...logprobs.content] }),
    ...(finish_reason && { finish: finish_reason }),
    ...(stop_detail && { detail: stop_detail }),
  };
}

function addCall(calls: readonly Call[], delta: ToolCallDelta): Call[] {
  const { index, id, function: called, custom } = delta;
  const before = calls[index] ?? { id: '', name: '', text: '', isCustom: custom !== undefined };
  const after: Call = {
    ...before,
    id: id ?? before.id,
    name: called?.name ?? custom?.name ?? before.name,
    text: before.text + (called?.arguments ?? custom?.input ?? ''),
  };
  return index < calls.length
    ? calls.map((call, place) => (place === index ? after : call))
    : [...calls, after];
}

function toNumbers({ usage, timings }: ChatCompletionChunk): Numbers {
  const perSecond = timings?.predicted_per_second;
  return {
    prompt: usage?.prompt_tokens ?? 0,
    completion: usage?.completion_tokens ?? 0,
    cached: usage?.prompt_tokens_details.cached_tokens ?? 0,
    reasoning: usage?.completion_tokens_details.reasoning_tokens ?? 0,
    ...(perSecond && { perSecond }),
  };
}
