import { GENERIC_CALLS } from '../call-format.ts';
import type { NamedFormat } from './named-format.ts';

/** SmolLM 3 was trained on the generic format, which its template leaves out. */
export const smollm3: NamedFormat = {
  inTemplate: ['## Custom Instructions', 'SmolLM'],
  calls: [{ ...GENERIC_CALLS }],
};
