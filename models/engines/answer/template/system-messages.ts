import type { TemplateMessage } from './template-messages.ts';

/** For a template without a system role: the instructions precede the first user message. */
export function withoutSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const { instructions, others } = parted(messages);
  if (instructions === '') return others;
  const [first, ...rest] = others;
  if (first?.role !== 'user') return [{ role: 'user', content: instructions }, ...others];
  return [{ ...first, content: `${instructions}\n\n${first.content}` }, ...rest];
}

/** For a template that takes one system message, at the start. */
export function withOneSystem(messages: readonly TemplateMessage[]): TemplateMessage[] {
  const { instructions, others } = parted(messages);
  return [{ role: 'system', content: instructions }, ...others];
}

export function hasSystemBehind(messages: readonly TemplateMessage[]): boolean {
  return messages.some(({ role }, index) => role === 'system' && index > 0);
}

function parted(messages: readonly TemplateMessage[]) {
  const isSystem = ({ role }: TemplateMessage) => role === 'system';
  const instructions = messages.filter(isSystem).map(({ content }) => content);
  return { instructions: instructions.join('\n\n'), others: messages.filter((one) => !isSystem(one)) };
}
