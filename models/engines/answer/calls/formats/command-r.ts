import { INDEX_MARK } from '../call-text.ts';
import type { NamedFormat } from './named-format.ts';

/** Command R7B and later: a list between tags, whose calls are numbered. */
export const commandR7b: NamedFormat = {
  inTemplate: ['<|START_ACTION|>', '"tool_call_id"'],
  calls: [
    {
      before: `<|START_ACTION|>[\n    {"tool_call_id": "${INDEX_MARK}", "tool_name": "`,
      middle: '", "parameters": ',
      between: `},\n    {"tool_call_id": "${INDEX_MARK}", "tool_name": "`,
      after: '}\n]<|END_ACTION|>',
    },
  ],
};

/** Command R and R+: a list in a Markdown code block. */
export const commandR: NamedFormat = {
  inTemplate: ['<|CHATBOT_TOKEN|>', "'\\nAction:\\n```json\\n[\\n'"],
  calls: [
    {
      before: 'Action:\n```json\n[\n    {\n        "tool_name": "',
      middle: '",\n        "parameters": ',
      between: '\n    },\n    {\n        "tool_name": "',
      after: '\n    }\n]\n```',
      trigger: 'Action:\n```json\n[',
    },
  ],
};
