import type { CallFormat } from '../call-format.ts';
import { NAME_MARK } from '../call-text.ts';
import type { NamedFormat } from './named-format.ts';

const CALL: CallFormat = {
  before: ' to=',
  middle: `<|message|><atem:function_calls>\n<atem:invoke name="${NAME_MARK}">\n`,
  between: '</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=',
  after: '</atem:invoke>\n</atem:function_calls>',
  isAtStart: true,
  parameters: {
    first: '<atem:parameter name="',
    none: '',
    middle: '">',
    end: '</atem:parameter>',
    next: '\n<atem:parameter name="',
    last: '\n',
  },
};

/** Muse: the recipient of a message is in its header, and a call is a message to its tool. */
export const muse: NamedFormat = {
  inTemplate: ['<atem:function_calls>', "' to=' + recipient"],
  calls: [CALL, { ...CALL, before: '<|eom|><|start|>assistant to=', isAtStart: false }],
};
