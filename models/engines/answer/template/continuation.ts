import { randomInt } from 'node:crypto';
import type { ChatMessage } from '../../../../src/runtime/engine.ts';
import type { RenderRaw, TemplateInput, TemplateMessage } from './template-messages.ts';
import { endsInReasoning, type ReasoningStyle } from '../reasoning/reasoning.ts';

/** The part of the answer that generation continues: its reasoning or its content. */
export function continuedPart(last: ChatMessage | undefined): 'thought' | 'answer' | undefined {
  if (last?.role !== 'assistant') return undefined;
  return partOf(last.content, last.reasoning);
}

function partOf(content: string, thought = ''): 'thought' | 'answer' | undefined {
  return content !== '' ? 'answer' : thought !== '' ? 'thought' : undefined;
}

/** The prompt up to where the last assistant message breaks off, with its content verbatim. */
export function renderContinued(
  render: RenderRaw,
  input: TemplateInput,
  thinking: ReasoningStyle | undefined,
): string {
  const last = input.messages.at(-1);
  if (last?.role !== 'assistant') return render(input);
  const withoutLast = { ...input, messages: input.messages.slice(0, -1) };
  const part = partOf(last.content, last.reasoning_content);
  if (part === undefined) return render(withoutLast);
  const written = part === 'answer' ? asTemplateWrites({ render, input, last, thinking }) : undefined;
  return written ?? asModelWrites({ render, input: withoutLast, last, thinking });
}

type Rendering = {
  render: RenderRaw;
  input: TemplateInput;
  last: TemplateMessage;
  thinking: ReasoningStyle | undefined;
};

/** Undefined if the template rejects, drops or changes the reasoning or the content. */
function asTemplateWrites({ render, input, last, thinking }: Rendering): string | undefined {
  const place = `\uE002${randomInt(2 ** 47)}\uE003`;
  const messages = [...input.messages.slice(0, -1), { ...last, content: place }];
  try {
    const written = render({ ...input, messages }, false);
    const end = written.lastIndexOf(place);
    const text = written.slice(0, Math.max(0, end));
    const hasThought = !thinking || text.includes((last.reasoning_content ?? '').trim());
    const isSaid = end !== -1 && (!thinking || !endsInReasoning(text, thinking));
    return isSaid && hasThought ? text + last.content : undefined;
  } catch {
    return undefined;
  }
}

/** Appends to the generation prompt, which may already open the reasoning. */
function asModelWrites({ render, input, last, thinking }: Rendering): string {
  const { content, reasoning_content: thought = '' } = last;
  const prompt = render(input);
  if (!thinking) return prompt + content;
  const { answer = '', turn, opening, closing } = thinking;
  if (thought !== '') {
    const thoughtful = withThoughts({ render, input, thinking, prompt });
    const begun = thoughtful + (endsInReasoning(thoughtful, thinking) ? '' : opening) + thought;
    return content === '' ? begun : begun + closing + content;
  }
  const isOpen = endsInReasoning(prompt, thinking);
  return prompt + (isOpen ? closing.trimStart() : turn === undefined ? '' : answer) + content;
}

type Asking = Pick<Rendering, 'render' | 'input'> & { thinking: ReasoningStyle; prompt: string };

/** Opens the reasoning if the template does not, and removes an empty block that it inserted. */
function withThoughts({ render, input, thinking, prompt }: Asking): string {
  const { begin, end } = thinking;
  if (endsInReasoning(prompt, thinking)) return prompt;
  const rendered = input.reasoning ? prompt : render({ ...input, reasoning: { effort: 'medium' } });
  if (endsInReasoning(rendered, thinking)) return rendered;
  const isClosed = (text: string) => text.trimEnd().endsWith(end);
  if (!isClosed(prompt) || !isClosed(rendered)) return isClosed(prompt) ? rendered : prompt;
  const open = prompt.slice(0, prompt.lastIndexOf(end)).trimEnd();
  return open.endsWith(begin) ? open.slice(0, -begin.length) : open;
}
