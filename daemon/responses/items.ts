import type { OutputItem, OutputPart, ResponseEvent } from '../../src/api/responses.ts';
import type { ChatProgress } from '../../src/inference/chat.ts';

/** An event without its number, which it gets when it goes out. */
export type Unnumbered = Omit<ResponseEvent, 'sequence_number'>;

type Said = Exclude<ChatProgress, { type: 'prompt' | 'end' }>;

/** The item that is being filled. */
export type OpenItem = {
  kind: string;
  item: OutputItem;
  index: number;
  /** What is said when it is added. */
  begun: Unnumbered[];
};

type Place = { index: number; requestId: string };

/** What follows of the same kind belongs to the same item. */
export function kindOf(event: Said): string {
  return event.type === 'toolCall' ? `call ${event.index}` : event.type;
}

export function beginItem(event: Said, { index, requestId }: Place): OpenItem {
  const suffix = `${requestId.replace(/^req_/, '')}_${index}`;
  const kind = kindOf(event);
  if (event.type === 'toolCall') {
    const item: OutputItem = {
      type: 'function_call',
      id: `fc_${suffix}`,
      status: 'in_progress',
      call_id: event.id,
      name: event.name,
      arguments: '',
    };
    return { kind, item, index, begun: [added(item, index)] };
  }
  const isThought = event.type === 'reasoning';
  const part: OutputPart = isThought
    ? { type: 'reasoning_text', text: '' }
    : { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const item: OutputItem = isThought
    ? { type: 'reasoning', id: `rs_${suffix}`, status: 'in_progress', summary: [], content: [] }
    : { type: 'message', id: `msg_${suffix}`, status: 'in_progress', role: 'assistant', content: [] };
  const begun = [
    added(item, index),
    { type: 'response.content_part.added', ...inPart(item, index), part: { ...part } },
  ];
  return { kind, item: { ...item, content: [part] }, index, begun };
}

export function growItem({ item, index }: OpenItem, text: string): Unnumbered {
  if (item.type === 'function_call') {
    item.arguments = (item.arguments ?? '') + text;
    const type = 'response.function_call_arguments.delta';
    return { type, item_id: item.id, output_index: index, delta: text };
  }
  const [part] = item.content ?? [];
  if (part) part.text += text;
  const place = inPart(item, index);
  if (item.type === 'reasoning') return { type: 'response.reasoning_text.delta', ...place, delta: text };
  return { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] };
}

/** The events that an item ends with, each with all of what came. */
export function* closeItem({ item, index }: OpenItem, isWhole: boolean): Generator<Unnumbered> {
  item.status = isWhole ? 'completed' : 'incomplete';
  const [part] = item.content ?? [];
  if (item.type === 'function_call') {
    const { id, name = '', arguments: text = '' } = item;
    const type = 'response.function_call_arguments.done';
    yield { type, item_id: id, output_index: index, name, arguments: text };
  } else if (part) {
    const place = inPart(item, index);
    const { text } = part;
    if (item.type === 'reasoning') yield { type: 'response.reasoning_text.done', ...place, text };
    else yield { type: 'response.output_text.done', ...place, text, logprobs: [] };
    yield { type: 'response.content_part.done', ...place, part };
  }
  yield { type: 'response.output_item.done', output_index: index, item };
}

function added(item: OutputItem, index: number): Unnumbered {
  return { type: 'response.output_item.added', output_index: index, item: { ...item } };
}

function inPart({ id }: OutputItem, index: number) {
  return { item_id: id, output_index: index, content_index: 0 };
}
