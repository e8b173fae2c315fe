import type { Reasoning } from '../../../../src/runtime/engine.ts';
import { findReasoningTags, type ReasoningTags } from './reasoning-tags.ts';
import type { RenderRaw, TemplateMessage } from '../template/template-messages.ts';

/** How a reasoning model and its template handle reasoning. */
export type ReasoningStyle = ReasoningTags & {
  /** The text before and after a reasoning block, whitespace included. */
  opening: string;
  closing: string;
  /** Whether the template can turn reasoning on and off. */
  hasSwitch: boolean;
  /** Whether the model reasons by default. */
  byDefault: boolean;
};

const hello: TemplateMessage = { role: 'user', content: 'Hello' };
const THOUGHT = 'probe thought 5519';
const CONTENT = 'probe said 9155';

export function findReasoning(source: string, render: RenderRaw): ReasoningStyle | undefined {
  const tags = findReasoningTags(source);
  if (!tags) return undefined;
  const on = attempt(() => render({ messages: [hello], reasoning: { effort: 'medium' } }));
  const off = attempt(() => render({ messages: [hello], reasoning: { effort: 'none' } }));
  const plain = render({ messages: [hello] });
  return { ...tags, ...edges(tags, render, { on, off }), hasSwitch: on !== off, byDefault: plain === on };
}

type Prompts = { on: string | undefined; off: string | undefined };

/** As the template writes the reasoning of an earlier answer or an empty block, otherwise as most templates do. */
function edges({ begin, end, turn }: ReasoningTags, render: RenderRaw, { on, off }: Prompts) {
  const written = attempt(() => render({ messages: [hello, thoughtful()] }, false)) ?? '';
  const start = written.lastIndexOf(begin);
  const thought = written.indexOf(THOUGHT, start);
  const contentAt = written.indexOf(CONTENT, thought);
  const isWhole = start !== -1 && thought !== -1 && contentAt !== -1;
  if (isWhole && isBlank(written.slice(start + begin.length, thought))) {
    const closing = written.slice(thought + THOUGHT.length, contentAt);
    if (closing.includes(end)) return { opening: written.slice(start, thought), closing };
  }
  if (turn !== undefined) return { opening: begin, closing: end };
  const opened = on?.slice(on.lastIndexOf(begin)) ?? '';
  const closed = off?.slice(off.lastIndexOf(end)) ?? '';
  const blanks = { after: blanksAfter(begin, opened) ?? '\n', behind: blanksAfter(end, closed) ?? '\n\n' };
  return { opening: begin + blanks.after, closing: `${blanks.after}${end}${blanks.behind}` };
}

function thoughtful(): TemplateMessage {
  return {
    role: 'assistant',
    content: CONTENT,
    reasoning_content: THOUGHT,
    reasoning: THOUGHT,
    thinking: THOUGHT,
  };
}

function blanksAfter(mark: string, text: string): string | undefined {
  return text.startsWith(mark) && isBlank(text.slice(mark.length)) ? text.slice(mark.length) : undefined;
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Some templates reject unknown variables, so this is no switch of theirs. */
function attempt(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}

/** The default reasoning budget per effort. */
const THOUGHT_TOKENS: Record<Reasoning['effort'], number> = {
  none: 0,
  minimal: 256,
  low: 1024,
  medium: 4096,
  high: 16_384,
  xhigh: 65_536,
};

type Options = {
  reasoning: Reasoning | undefined;
  rendered: string;
  thinking: ReasoningStyle | undefined;
  /** A grammar applies from the first word of the answer, so the reasoning must be opened for the model. */
  isBound: boolean;
  /** The answer must be a call. */
  mustCall: boolean;
  /** Where the answer was already started: inside the reasoning, or after it. */
  continues: 'thought' | 'answer' | undefined;
};

export function planReasoning({ reasoning, rendered, thinking, isBound, mustCall, continues }: Options) {
  const none = { suffix: '', thinking: undefined, thoughtTokensMax: 0 };
  if (!thinking || continues === 'answer') return none;
  const { begin, end, answer, turn, isAnywhere = false, opening, closing, hasSwitch, byDefault } = thinking;
  // Reasoning in this format ends with the tag of what follows, which might not be a call if the model chose it.
  if (turn !== undefined && mustCall) return none;
  const isOpen = continues === 'thought' || endsInReasoning(rendered, thinking);
  const isClosed = rendered.trimEnd().endsWith(end);
  if (reasoning?.effort === 'none') {
    if (isOpen) return { ...none, suffix: closing };
    if (turn !== undefined) return { ...none, suffix: answer ?? '' };
    return { ...none, suffix: hasSwitch || isClosed ? '' : opening + closing.trimStart() };
  }
  const most = reasoning ? (reasoning.maxTokens ?? THOUGHT_TOKENS[reasoning.effort]) : Infinity;
  // A template without a switch may belong to a model that only knows the tags from other models' output.
  const opens = hasSwitch && !isOpen && !isClosed && (reasoning !== undefined || (isBound && byDefault));
  if (isBound && !isOpen && !opens) return { ...none, suffix: mustCall ? '' : (answer ?? '') };
  return {
    suffix: opens ? opening : '',
    thinking: { begin, end, isAnywhere, closing, startsInside: isOpen || opens },
    thoughtTokensMax: most,
  };
}

/** Whether the prompt ends inside a reasoning block that the answer continues. */
export function endsInReasoning(prompt: string, { begin }: ReasoningStyle): boolean {
  return prompt.trimEnd().endsWith(begin.trimEnd());
}
