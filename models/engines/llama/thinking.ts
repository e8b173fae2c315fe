import type { RenderRaw } from './template-messages.ts';

/** How a model that thinks before it answers marks its thoughts. */
export type Thinking = {
  begin: string;
  end: string;
  /** Whether a prompt can be made without thoughts by the template itself. */
  hasSwitch: boolean;
};

const TAGS = [
  ['<think>', '</think>'],
  ['[THINK]', '[/THINK]'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
] as const;

/** A template of a model that thinks has the marks of its thoughts somewhere, if only to take them out of old answers. */
export function findThinking(source: string, render: RenderRaw): Thinking | undefined {
  const tags = TAGS.find(([begin, end]) => source.includes(begin) || source.includes(end));
  if (!tags) return undefined;
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const on = render({ messages, reasoning: { effort: 'medium' } });
  const off = render({ messages, reasoning: { effort: 'none' } });
  return { begin: tags[0], end: tags[1], hasSwitch: on !== off };
}

/** Whether the prompt ends within a thought that the answer goes on with. */
export function endsInThought(prompt: string, { begin, end }: Thinking): boolean {
  return prompt.lastIndexOf(begin) > prompt.lastIndexOf(end) && prompt.trimEnd().endsWith(begin);
}
