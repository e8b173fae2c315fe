import type { ChatEvent, Logprob } from '../runtime/engine.ts';

type WireLogprob = { token: string; logprob: number; bytes?: number[] | null };

export type Delta = {
  content?: string | null;
  reasoning_content?: string | null;
  reasoning?: string | null;
  tool_calls?: {
    index: number;
    id?: string | null;
    function?: { name?: string | null; arguments?: string | null };
  }[];
};

export type ChunkChoice = {
  index?: number;
  delta?: Delta;
  logprobs?: { content?: (WireLogprob & { top_logprobs?: WireLogprob[] })[] | null } | null;
  finish_reason?: string | null;
};

type Said = Exclude<ChatEvent, { type: 'prompt' | 'end' }>;
type SaidPart = Said extends infer Event
  ? Event extends Said
    ? Omit<Event, 'completionTokens'>
    : never
  : never;

/** What one piece of one choice says, in our own terms; `choice` only where there are several. */
export function readChoice({ delta = {}, logprobs }: ChunkChoice, choice: { choice?: number }): SaidPart[] {
  const parts: SaidPart[] = [];
  const thought = delta.reasoning_content ?? delta.reasoning;
  if (thought) parts.push({ type: 'reasoning', text: thought, ...choice });
  if (delta.content) {
    const told = logprobs?.content?.map(toLogprob);
    parts.push({ type: 'text', text: delta.content, ...choice, ...(told && { logprobs: told }) });
  }
  for (const { index, id, function: called } of delta.tool_calls ?? []) {
    if (called?.name)
      parts.push({ type: 'toolCall', index, id: id ?? `call_${index}`, name: called.name, ...choice });
    if (called?.arguments) parts.push({ type: 'toolArguments', index, text: called.arguments, ...choice });
  }
  return parts;
}

export function readReason(finish: string): 'stop' | 'length' | 'tool_calls' {
  if (finish === 'length') return 'length';
  return finish === 'tool_calls' ? 'tool_calls' : 'stop';
}

function toLogprob({
  top_logprobs: top = [],
  ...token
}: WireLogprob & { top_logprobs?: WireLogprob[] }): Logprob {
  return { ...withBytes(token), top: top.map(withBytes) };
}

function withBytes({ token, logprob, bytes }: WireLogprob) {
  return { token, logprob, bytes: bytes ?? [...Buffer.from(token)] };
}
