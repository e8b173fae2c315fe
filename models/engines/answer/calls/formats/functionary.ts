import type { NamedFormat } from './named-format.ts';

/** Functionary 3.2: each part of an answer has a recipient, and the prompt ends where its name begins. */
export const functionary: NamedFormat = {
  inTemplate: ['>>>${recipient}', '>>>all\\n'],
  tags: { answer: 'all\n' },
  calls: [
    { before: '', middle: '\n', between: '>>>', after: '', isAtStart: true },
    { before: '>>>', middle: '\n', between: '>>>', after: '' },
  ],
};
