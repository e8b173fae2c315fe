/** What identifies a family of chat templates, the most specific first. */
const FAMILIES: readonly (readonly [name: string, sign: string])[] = [
  ['harmony', '<|channel|>'],
  ['llama 3', '<|start_header_id|>'],
  ['llama 4', '<|header_start|>'],
  ['gemma', '<start_of_turn>'],
  ['chatml', '<|im_start|>'],
  ['phi', '<|end|>'],
  ['deepseek', '<｜Assistant｜>'],
  ['command-r', '<|START_OF_TURN_TOKEN|>'],
  ['granite', '<|start_of_role|>'],
  ['mistral', '[INST]'],
];

/** A word for the chat template of a file: its family, `own` for an unknown one, or `general` if it has none. */
export function templateFamily(template: string | undefined): string {
  if (template === undefined || template === '') return 'general';
  return FAMILIES.find(([, sign]) => template.includes(sign))?.[0] ?? 'own';
}
