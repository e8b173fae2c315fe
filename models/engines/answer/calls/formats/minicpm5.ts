import type { NamedFormat } from './named-format.ts';

/** MiniCPM 5: values that contain markup are CDATA. */
export const minicpm5: NamedFormat = {
  inTemplate: ['<function name="', '<param name="', '<![CDATA['],
  calls: [
    {
      before: '<function name="',
      middle: '">',
      between: '</function>\n<function name="',
      after: '</function>',
      endsThought: true,
      parameters: {
        first: '<param name="',
        none: '',
        middle: '">',
        end: '</param>',
        next: '<param name="',
        last: '',
        hasCharacterData: true,
      },
    },
  ],
};
