import type { Reasoning } from '../../../src/runtime/engine.ts';
import type { CallFormat } from './call-format.ts';
import type { RenderRaw } from './template-messages.ts';

/** How a model that thinks before it answers marks its thoughts. */
export type Thinking = {
  begin: string;
  end: string;
  /** Begins an answer that comes without a thought, where such an answer has a mark too. */
  answer?: string;
  /** Ends a thought too, where a call follows, which is a turn of its own. */
  turn?: string;
  /** How such a model writes calls itself, whichever way its template shows old ones. */
  calls?: readonly [CallFormat, ...CallFormat[]];
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

/** As gpt-oss does it: thoughts and answers are messages of one turn, each in its channel. */
const CHANNELS = {
  begin: '<|channel|>analysis<|message|>',
  end: '<|end|><|start|>assistant<|channel|>final<|message|>',
  answer: '<|channel|>final<|message|>',
  turn: '<|end|><|start|>assistant',
};

/** The one who is called stands in the channel, or before it in the head of the message. */
const CHANNEL_CALLS: NonNullable<Thinking['calls']> = [
  {
    before: '<|channel|>commentary to=functions.',
    middle: ' <|constrain|>json<|message|>',
    between: undefined,
    after: '',
  },
  {
    before: ' to=functions.',
    middle: '<|channel|>commentary json<|message|>',
    between: undefined,
    after: '',
    isAtStart: true,
  },
];

const messages = [{ role: 'user' as const, content: 'Hello' }];

/** A template of a model that thinks has the marks of its thoughts somewhere, if only to take them out of old answers. */
export function findThinking(source: string, render: RenderRaw): Thinking | undefined {
  const marks = findMarks(source);
  if (!marks) return undefined;
  const on = renderWith(render, { effort: 'medium' });
  const off = renderWith(render, { effort: 'none' });
  return { ...marks, hasSwitch: on !== off, byDefault: render({ messages }) === on };
}

function findMarks(source: string): Omit<Thinking, 'hasSwitch' | 'byDefault'> | undefined {
  if (['<|channel|>', '<|message|>', 'analysis'].every((mark) => source.includes(mark))) {
    return { ...CHANNELS, calls: CHANNEL_CALLS };
  }
  const tags = TAGS.find(([begin, end]) => source.includes(begin) || source.includes(end));
  return tags && { begin: tags[0], end: tags[1] };
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
  xhigh: 65_536,
};

type Options = {
  reasoning: Reasoning | undefined;
  rendered: string;
  thinking: Thinking | undefined;
  /** A grammar holds for the answer from its first word on, so a thought must be begun for the model. */
  isBound: boolean;
  /** The answer is to be a call. */
  mustCall: boolean;
};

export function planThoughts({ reasoning, rendered, thinking, isBound, mustCall }: Options) {
  const none = { suffix: '', thinking: undefined, thoughtTokensMax: 0 };
  if (!thinking) return none;
  const { begin, end, answer, turn, hasSwitch, byDefault } = thinking;
  // A thought there ends with the mark of what follows, and its own choice would not be a call for sure.
  if (turn !== undefined && mustCall) return none;
  // Models that mark their thoughts by tags give each a line of its own.
  const [opening, closing] = answer === undefined ? [`${begin}\n`, `\n${end}\n\n`] : [begin, end];
  const isOpen = endsInThought(rendered, thinking);
  const isClosed = rendered.trimEnd().endsWith(end);
  if (reasoning?.effort === 'none') {
    if (isOpen) return { ...none, suffix: closing };
    if (answer !== undefined) return { ...none, suffix: answer };
    return { ...none, suffix: hasSwitch || isClosed ? '' : `${begin}\n\n${end}\n\n` };
  }
  const most = reasoning ? (reasoning.maxTokens ?? THOUGHT_TOKENS[reasoning.effort]) : Infinity;
  // A template without a switch may belong to a model that only knows how others mark their thoughts.
  const opens = hasSwitch && !isOpen && !isClosed && (reasoning !== undefined || (isBound && byDefault));
  if (isBound && !isOpen && !opens) return { ...none, suffix: answer ?? '' };
  return {
    suffix: opens ? opening : '',
    thinking: { begin, end, answer, turn, closing, startsInside: isOpen || opens },
    thoughtTokensMax: most,
  };
}

/** Whether the prompt ends within a thought that the answer goes on with. */
function endsInThought(prompt: string, { begin }: Thinking): boolean {
  return prompt.trimEnd().endsWith(begin);
}
