import type { NamedFormat } from './named-format.ts';

/** Granite 3: its template describes the format in words and shows no calls. */
export const granite3: NamedFormat = {
  inTemplate: ['<|start_of_role|>', 'respond only with <|tool_call|> followed by a JSON list'],
  calls: [
    {
      before: '<|tool_call|>[{"name": "',
      middle: '", "arguments": ',
      between: '}, {"name": "',
      after: '}]',
    },
  ],
};
