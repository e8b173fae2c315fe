import type { Reasoning } from '../../../src/runtime/engine.ts';
import type { RenderRaw } from './template-messages.ts';

/** How a model that thinks before it answers marks its thoughts. */
export type Thinking = {
  begin: string;
  end: string;
  /** Whether the template itself makes a prompt with or without thoughts. */
  hasSwitch: boolean;
  /** Whether it thinks when nobody says anything about it. */
  byDefault: boolean;
};

const TAGS = [
  ['<think>', '</think>'],
  ['[THINK]', '[/THINK]'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
] as const;

const messages = [{ role: 'user' as const, content: 'Hello' }];

/** A template of a model that thinks has the marks of its thoughts somewhere, if only to take them out of old answers. */
export function findThinking(source: string, render: RenderRaw): Thinking | undefined {
  const tags = TAGS.find(([begin, end]) => source.includes(begin) || source.includes(end));
  if (!tags) return undefined;
  const on = renderWith(render, { effort: 'medium' });
  const off = renderWith(render, { effort: 'none' });
  return { begin: tags[0], end: tags[1], hasSwitch: on !== off, byDefault: render({ messages }) === on };
}

/** Some templates refuse what they do not know; then it is no switch of theirs. */
function renderWith(render: RenderRaw, reasoning: Reasoning): string | undefined {
  try {
    return render({ messages, reasoning });
  } catch {
    return undefined;
  }
}

/** How long a thought may be, unless it is said otherwise. */
const THOUGHT_TOKENS: Record<Reasoning['effort'], number> = {
  none: 0,
  minimal: 256,
  low: 1024,
  medium: 4096,
  high: 16_384,
};

type Options = {
  reasoning: Reasoning | undefined;
  rendered: string;
  thinking: Thinking | undefined;
  /** A grammar holds for the answer from its first word on, so a thought must be begun for the model. */
  isBound: boolean;
};

export function planThoughts({ reasoning, rendered, thinking, isBound }: Options) {
  const none = { suffix: '', thinking: undefined, thoughtTokensMax: 0 };
  if (!thinking) return none;
  const { begin, end, hasSwitch, byDefault } = thinking;
  const isOpen = endsInThought(rendered, thinking);
  const isClosed = rendered.trimEnd().endsWith(end);
  if (reasoning?.effort === 'none') {
    if (isOpen) return { ...none, suffix: `\n${end}\n\n` };
    return { ...none, suffix: hasSwitch || isClosed ? '' : `${begin}\n\n${end}\n\n` };
  }
  const most = reasoning ? (reasoning.maxTokens ?? THOUGHT_TOKENS[reasoning.effort]) : Infinity;
  // A template without a switch may belong to a model that only knows how others mark their thoughts.
  const opens = hasSwitch && !isOpen && !isClosed && (reasoning !== undefined || (isBound && byDefault));
  if (isBound && !isOpen && !opens) return none;
  return {
    suffix: opens ? `${begin}\n` : '',
    thinking: { begin, end, startsInside: isOpen || opens },
    thoughtTokensMax: most,
  };
}

/** Whether the prompt ends within a thought that the answer goes on with. */
function endsInThought(prompt: string, { begin }: Thinking): boolean {
  return prompt.trimEnd().endsWith(begin);
}
