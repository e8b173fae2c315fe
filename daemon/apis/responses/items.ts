import type { OutputItem, OutputPart, ResponseEvent } from '../../../src/api/chat/responses.ts';
import type { ChatProgress } from '../../../src/inference/chat.ts';
import { freeText } from '../chat/custom-tools.ts';
import { toLogprobs } from '../chat/output.ts';
import { sealThoughts } from './thoughts.ts';
import type { ClientTools } from './tools.ts';

/** An event without its number, which is assigned when it is sent. */
export type Unnumbered = Omit<ResponseEvent, 'sequence_number'>;

type Progress = Exclude<ChatProgress, { type: 'prompt' | 'end' }>;

/** Which parts of items the client wants. */
export type Shown = {
  clientTools: ClientTools;
  /** Reasoning is also sent as a summary, for clients that show only that. */
  summary: boolean;
  /** Reasoning is sent in a form that the client can carry along. */
  sealed: boolean;
  /** The citations of a message. */
  annotate: (text: string) => readonly object[];
};

/** The item that is being filled. */
export type OpenItem = {
  kind: string;
  item: OutputItem;
  index: number;
  shown: Shown;
  /** The arguments of a custom tool; the client receives the text in them. */
  customArguments: string;
  /** The events sent when it is added. */
  begun: Unnumbered[];
};

type Place = { index: number; requestId: string; shown: Shown };

/** Events of the same kind belong to the same item. */
export function kindOf(event: Progress): string {
  return event.type === 'toolCall' ? `call ${event.index}` : event.type;
}

export function beginItem(event: Progress, { index, requestId, shown }: Place): OpenItem {
  const suffix = `${requestId.replace(/^req_/, '')}_${index}`;
  const open = { kind: kindOf(event), index, shown, customArguments: '' };
  if (event.type === 'toolCall') {
    const item = callItem(event, suffix, shown.clientTools);
    return { ...open, item, begun: [added(item, index)] };
  }
  return event.type === 'reasoning' ? beginThoughts(open, suffix) : beginMessage(open, suffix);
}

function callItem(
  { id, name }: Extract<Progress, { type: 'toolCall' }>,
  suffix: string,
  tools: ClientTools,
): OutputItem {
  const client = tools.get(name) ?? { kind: 'function' as const, name };
  const call = { status: 'in_progress' as const, call_id: id, name: client.name };
  if (client.kind === 'custom') return { type: 'custom_tool_call', id: `ctc_${suffix}`, ...call, input: '' };
  const namespace = client.namespace === undefined ? {} : { namespace: client.namespace };
  return { type: 'function_call', id: `fc_${suffix}`, ...call, ...namespace, arguments: '' };
}

type Opening = Omit<OpenItem, 'item' | 'begun'>;

function beginThoughts(open: Opening, suffix: string): OpenItem {
  const { index, shown } = open;
  const part: OutputPart = { type: 'reasoning_text', text: '' };
  const item: OutputItem = {
    type: 'reasoning',
    id: `rs_${suffix}`,
    status: 'in_progress',
    summary: [],
    content: [],
  };
  const begun = [
    added(item, index),
    { type: 'response.content_part.added', ...inPart(item, index), part: { ...part } },
  ];
  if (!shown.summary) return { ...open, item: { ...item, content: [part] }, begun };
  const summary = { type: 'summary_text' as const, text: '' };
  begun.push({
    type: 'response.reasoning_summary_part.added',
    ...inSummary(item, index),
    part: { ...summary },
  });
  return { ...open, item: { ...item, content: [part], summary: [summary] }, begun };
}

function beginMessage(open: Opening, suffix: string): OpenItem {
  const part: OutputPart = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const item: OutputItem = {
    type: 'message',
    id: `msg_${suffix}`,
    status: 'in_progress',
    role: 'assistant',
    content: [],
  };
  const begun = [
    added(item, open.index),
    { type: 'response.content_part.added', ...inPart(item, open.index), part: { ...part } },
  ];
  return { ...open, item: { ...item, content: [part] }, begun };
}

export function* growItem(
  open: OpenItem,
  event: Exclude<Progress, { type: 'toolCall' }>,
): Generator<Unnumbered> {
  const { item, index } = open;
  const { text } = event;
  if (item.type === 'custom_tool_call') return void (open.customArguments += text);
  if (item.type === 'function_call') {
    item.arguments = (item.arguments ?? '') + text;
    const type = 'response.function_call_arguments.delta';
    yield { type, item_id: item.id, output_index: index, delta: text };
    return;
  }
  const [part] = item.content ?? [];
  if (part) part.text += text;
  const place = inPart(item, index);
  if (item.type === 'reasoning') {
    yield { type: 'response.reasoning_text.delta', ...place, delta: text };
    const [summary] = item.summary ?? [];
    if (!summary) return;
    summary.text += text;
    yield { type: 'response.reasoning_summary_text.delta', ...inSummary(item, index), delta: text };
    return;
  }
  const logprobs = event.type === 'text' && event.logprobs ? toLogprobs(event.logprobs).content : [];
  part?.logprobs?.push(...logprobs);
  yield { type: 'response.output_text.delta', ...place, delta: text, logprobs };
}

/** The events that complete an item, each with its whole content. */
export function* closeItem(open: OpenItem, isWhole: boolean): Generator<Unnumbered> {
  const { item, index } = open;
  item.status = isWhole ? 'completed' : 'incomplete';
  if (item.type === 'function_call') {
    const { id, name = '', arguments: text = '' } = item;
    const type = 'response.function_call_arguments.done';
    yield { type, item_id: id, output_index: index, name, arguments: text };
  } else if (item.type === 'custom_tool_call') yield* closeCustomCall(open);
  else yield* closeParts(open);
  yield { type: 'response.output_item.done', output_index: index, item };
}

function* closeCustomCall({ item, index, customArguments }: OpenItem): Generator<Unnumbered> {
  const input = freeText(customArguments);
  item.input = input;
  const place = { item_id: item.id, output_index: index };
  yield { type: 'response.custom_tool_call_input.delta', ...place, delta: input };
  yield { type: 'response.custom_tool_call_input.done', ...place, input };
}

function* closeParts({ item, index, shown }: OpenItem): Generator<Unnumbered> {
  const [part] = item.content ?? [];
  if (!part) return;
  const place = inPart(item, index);
  const { text, logprobs = [] } = part;
  if (item.type === 'message') {
    yield { type: 'response.output_text.done', ...place, text, logprobs };
    const type = 'response.output_text.annotation.added';
    for (const [number, annotation] of shown.annotate(text).entries()) {
      part.annotations?.push(annotation);
      yield { type, ...place, annotation, annotation_index: number };
    }
  } else {
    if (shown.sealed) item.encrypted_content = sealThoughts(text);
    yield { type: 'response.reasoning_text.done', ...place, text };
  }
  yield { type: 'response.content_part.done', ...place, part };
  const [summary] = item.summary ?? [];
  if (!summary) return;
  const inIt = inSummary(item, index);
  yield { type: 'response.reasoning_summary_text.done', ...inIt, text: summary.text };
  yield { type: 'response.reasoning_summary_part.done', ...inIt, part: summary };
}

function added(item: OutputItem, index: number): Unnumbered {
  return { type: 'response.output_item.added', output_index: index, item: { ...item } };
}

function inPart({ id }: OutputItem, index: number) {
  return { item_id: id, output_index: index, content_index: 0 };
}

function inSummary({ id }: OutputItem, index: number) {
  return { item_id: id, output_index: index, summary_index: 0 };
}
