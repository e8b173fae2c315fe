import type {
  OutputItem,
  ResponseAnswer,
  ResponseEvent,
  ResponseRequest,
} from '../../../src/api/chat/responses.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import { createCounts } from '../chat/usage.ts';
import {
  beginItem,
  closeItem,
  growItem,
  kindOf,
  type OpenItem,
  type Shown,
  type Unnumbered,
} from './items.ts';
import type { Remembered } from './stored.ts';
import type { HostedEvent, HostedTools } from '../hosted/hosted-tool.ts';
import type { ClientTools } from './tools.ts';

export type Answering = Omit<Remembered, 'body'> & {
  requestId: string;
  createdAt: number;
  body: ResponseRequest;
  clientTools: ClientTools;
  hosted?: HostedTools | undefined;
};

type Progress = AsyncIterable<ChatProgress | HostedEvent>;

/** The complete response is in the last event. */
export async function collectResponse(answering: Answering, progress: Progress): Promise<ResponseAnswer> {
  let answer = emptyResponse(answering);
  for await (const { response } of toResponseEvents(answering, progress)) answer = response ?? answer;
  return answer;
}

export async function* toResponseEvents(
  answering: Answering,
  progress: Progress,
): AsyncGenerator<ResponseEvent> {
  let sequence = 0;
  for await (const event of toUnnumbered(answering, progress)) {
    yield { ...event, sequence_number: sequence++ };
  }
}

/** One item after another, each added, filled and completed; then the whole response. */
async function* toUnnumbered(answering: Answering, progress: Progress): AsyncGenerator<Unnumbered> {
  const counts = createCounts();
  const response = emptyResponse(answering);
  const shown = shownTo(answering);
  const items: OutputItem[] = [];
  let open: OpenItem | undefined;
  let reason: EndReason = 'stop';

  yield { type: 'response.created', response };
  yield { type: 'response.in_progress', response };
  for await (const event of progress) {
    if (event.type === 'hosted') {
      if (open) yield* closeItem(open, true);
      open = undefined;
      yield* hostedEvent(event, items);
      continue;
    }
    counts.add(event);
    if (event.type === 'prompt') continue;
    if (event.type === 'end') {
      ({ reason } = event);
      continue;
    }
    if (event.type !== 'toolArguments' && open?.kind !== kindOf(event)) {
      if (open) yield* closeItem(open, true);
      open = beginItem(event, { index: items.length, requestId: answering.requestId, shown });
      items.push(open.item);
      yield* open.begun;
    }
    if (open && event.type !== 'toolCall') yield* growItem(open, event);
  }
  const isWhole = reason === 'stop' || reason === 'tool_calls';
  if (open) yield* closeItem(open, isWhole);
  const last = ending({ ...response, output: items, usage: usageOf(counts) }, reason);
  if (last.response) answering.keep(last.response);
  yield last;
}

/** The item of a tool that runs here, which is in the output from the start. */
function* hostedEvent({ step, item, name, fields }: HostedEvent, items: OutputItem[]): Generator<Unnumbered> {
  const known = items.findIndex(({ id }) => id === item.id);
  const index = known === -1 ? items.push(item) - 1 : known;
  items[index] = item;
  if (step === 'progress') yield { type: name ?? '', item_id: item.id, output_index: index, ...fields };
  else yield { type: `response.output_item.${step}`, output_index: index, item: { ...item } };
}

type EndReason = Extract<ChatProgress, { type: 'end' }>['reason'];

function ending(response: ResponseAnswer, reason: EndReason): Unnumbered {
  if (reason === 'stop' || reason === 'tool_calls') {
    return { type: 'response.completed', response: { ...response, status: 'completed' } };
  }
  const why = reason === 'length' ? 'max_output_tokens' : reason;
  const cut: ResponseAnswer = { ...response, status: 'incomplete', incomplete_details: { reason: why } };
  return { type: 'response.incomplete', response: cut };
}

function usageOf(counts: ReturnType<typeof createCounts>): ResponseAnswer['usage'] {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = counts.now();
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  };
}

function shownTo({ body, clientTools, hosted }: Answering): Shown {
  const sealed = body.include?.includes('reasoning.encrypted_content') ?? false;
  const annotate = hosted?.annotate ?? (() => []);
  return { clientTools, summary: body.reasoning?.summary !== undefined, sealed, annotate };
}

export function failedResponse(
  answering: Answering,
  { code, message }: { code: string; message: string },
): ResponseAnswer {
  return { ...emptyResponse(answering), status: 'failed', error: { code, message } };
}

function emptyResponse(answering: Answering): ResponseAnswer {
  const { requestId, createdAt, body, conversationId, isStored } = answering;
  return {
    id: `resp_${requestId.replace(/^req_/, '')}`,
    object: 'response',
    created_at: createdAt,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: body.model,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    conversation: conversationId === undefined ? null : { id: conversationId },
    reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
    store: isStored,
    temperature: body.temperature ?? 1,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    metadata: body.metadata ?? {},
  };
}
