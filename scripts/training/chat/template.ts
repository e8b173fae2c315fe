import { promptFor } from '../../../src/inference/translation/translators.ts';

/** They follow the 256 bytes in the vocabulary, in this order. */
export const CONTROL_TOKENS = [
  '<|endoftext|>',
  '<|im_end|>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|tool|>',
] as const;
export const END_OF_TURN = '<|im_end|>';

/** How a call of a tool is written: JSON with blanks, as templates write it. */
export function callText(name: string, args: Record<string, string | number>): string {
  const pairs = Object.entries(args).map(([key, value]) => `"${key}": ${JSON.stringify(value)}`);
  return `<tool_call>\n{"name": "${name}", "arguments": {${pairs.join(', ')}}}\n</tool_call>`;
}

const TOOLS =
  "{%- for tool in tools %}{{ '\\n' + tool.function.name + ': ' + (tool.function.description or '') + ' ' + (tool.function.parameters | tojson) }}{% endfor %}";
const CALLS =
  "{%- for call in message.tool_calls %}{{ '\\n' if message.content or not loop.first }}" +
  '{{ \'<tool_call>\\n{"name": "\' + call.function.name + \'", "arguments": \' + (call.function.arguments | tojson) + \'}\\n</tool_call>\' }}{% endfor %}';

/** A turn is the token of its role, its text and the end-of-turn token. Tools are at the end of the system prompt. */
const templateOf = (content: string) =>
  "{%- set has_system = messages[0].role == 'system' %}" +
  `{%- if tools and not has_system %}{{ '<|system|>Tools:' }}${TOOLS}{{ '<|im_end|>' }}{% endif %}` +
  `{%- for message in messages %}{{ '<|' + message.role + '|>' + ${content} }}` +
  `{%- if message.tool_calls %}${CALLS}{% endif %}` +
  `{%- if tools and has_system and loop.first %}{{ '\\n\\nTools:' }}${TOOLS}{% endif %}{{ '<|im_end|>' }}{% endfor %}` +
  "{%- if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";

export const CHAT_TEMPLATE = templateOf("(message.content or '')");

/**
 * The translation service starts every request with the same sixty words. The model made for them is shown only what
 * differs, the languages and the text, which is four times shorter to train on and to prefill.
 */
const [BEFORE = '', AFTER = ''] = promptFor('', { target: { code: 'fr', name: '|' } })
  .replace('into |', '|')
  .split('|');
const inTemplate = (text: string) => `'${text.replace(/'/g, "\\'").replace(/\n/g, '\\n')}'`;
export const WORDS_TEMPLATE = templateOf(
  `((message.content or '') | replace(${inTemplate(BEFORE)}, '') | replace(${inTemplate(AFTER)}, '\\n'))`,
);
