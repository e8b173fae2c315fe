import { gptOss } from './gpt-oss.ts';
import type { NamedFormat } from './named-format.ts';

/** The first that fits counts. */
const FORMATS: readonly NamedFormat[] = [gptOss];

export function findNamedFormat(source: string): NamedFormat | undefined {
  return FORMATS.find(({ inTemplate }) => inTemplate.every((text) => source.includes(text)));
}
