import { INDEX_MARK } from '../call-text.ts';
import type { NamedFormat } from './named-format.ts';

const CALL = {
  middle: `:${INDEX_MARK}<|tool_call_argument_begin|>`,
  between: '<|tool_call_end|><|tool_call_begin|>functions.',
  after: '<|tool_call_end|><|tool_calls_section_end|>',
  endsThought: true,
};

/** The id of each call is its name and a counter. Models sometimes forget the section tag. */
export const kimiK2: NamedFormat = {
  inTemplate: ['<|tool_calls_section_begin|>', '<|tool_call_argument_begin|>'],
  calls: [
    {
      ...CALL,
      before: '<|tool_calls_section_begin|><|tool_call_begin|>functions.',
      trigger: '<|tool_calls_section_begin|>',
    },
    { ...CALL, before: '<|tool_call_begin|>functions.', trigger: '<|tool_call_begin|>' },
  ],
};
