import type { NamedFormat } from './named-format.ts';

/** Functionary 3.2: each part of an answer is for somebody; the prompt has begun to say for whom. */
export const functionary: NamedFormat = {
  inTemplate: ['>>>${recipient}', '>>>all\\n'],
  tags: { answer: 'all\n' },
  calls: [
    { before: '', middle: '\n', between: '>>>', after: '', isAtStart: true },
    { before: '>>>', middle: '\n', between: '>>>', after: '' },
  ],
};
