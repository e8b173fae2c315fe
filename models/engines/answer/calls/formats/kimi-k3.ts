import { INDEX_MARK, KIND_MARK } from '../call-text.ts';
import type { NamedFormat } from './named-format.ts';

/** Tags of three tokens each; every argument states its type. */
export const kimiK3: NamedFormat = {
  inTemplate: ['<|open|>', "open_tag('call'", "open_tag('argument'"],
  calls: [
    {
      before: '<|open|>tools<|sep|><|open|>call tool="',
      middle: `" index="${INDEX_MARK}"<|sep|>`,
      between: '<|close|>call<|sep|><|open|>call tool="',
      after: '<|close|>call<|sep|><|close|>tools<|sep|>',
      ending: '<|close|>message<|sep|>',
      trigger: '<|open|>tools<|sep|>',
      parameters: {
        first: '<|open|>argument key="',
        none: '',
        middle: '" type="string"<|sep|>',
        json: `" type="${KIND_MARK}"<|sep|>`,
        end: '<|close|>argument<|sep|>',
        next: '<|open|>argument key="',
        last: '',
      },
    },
  ],
};
