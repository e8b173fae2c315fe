import type { CallFormat } from '../call-format.ts';
import type { AnswerTags } from '../../reasoning/reasoning-tags.ts';

/** How a family of models writes calls, if its template does not show it, or shows several ways. */
export type NamedFormat = {
  /** Strings that must all occur in the template. */
  inTemplate: readonly string[];
  /** The first is the usual one. */
  calls: readonly [CallFormat, ...CallFormat[]];
  /** Tags of the answer, if the reasoning tags do not include them. */
  tags?: AnswerTags;
};
