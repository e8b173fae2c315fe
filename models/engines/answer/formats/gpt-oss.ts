import type { NamedFormat } from './named-format.ts';

/** The one who is called stands in the channel, or before it in the head of the message. */
export const gptOss: NamedFormat = {
  inTemplate: ['<|channel|>', '<|message|>', 'to=functions.'],
  calls: [
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
  ],
};
