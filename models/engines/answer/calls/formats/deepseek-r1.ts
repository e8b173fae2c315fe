import type { NamedFormat } from './named-format.ts';

/** DeepSeek R1 and its distilled models: a JSON code block for each call. */
export const deepseekR1: NamedFormat = {
  inTemplate: ['<｜tool▁calls▁begin｜>', '```json'],
  calls: [
    {
      before: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>',
      middle: '\n```json\n',
      between: '\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>',
      after: '\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      trigger: '<｜tool▁calls▁begin｜>',
    },
  ],
};
