import { commandR, commandR7b } from './command-r.ts';
import { deepseekR1 } from './deepseek-r1.ts';
import { functionary } from './functionary.ts';
import { gemma4 } from './gemma4.ts';
import { gptOss } from './gpt-oss.ts';
import { granite3 } from './granite3.ts';
import { kimiK2 } from './kimi-k2.ts';
import { kimiK3 } from './kimi-k3.ts';
import { lfm2 } from './lfm2.ts';
import { minicpm5 } from './minicpm5.ts';
import { minimaxM3 } from './minimax-m3.ts';
import { muse } from './muse.ts';
import type { NamedFormat } from './named-format.ts';
import { smollm3 } from './smollm3.ts';

/** The first match counts; other formats are derived from the template. */
const FORMATS: readonly NamedFormat[] = [
  commandR,
  commandR7b,
  deepseekR1,
  functionary,
  gemma4,
  gptOss,
  granite3,
  kimiK2,
  kimiK3,
  lfm2,
  minicpm5,
  minimaxM3,
  muse,
  smollm3,
];

export function findNamedFormat(source: string): NamedFormat | undefined {
  return FORMATS.find(({ inTemplate }) => inTemplate.every((text) => source.includes(text)));
}
