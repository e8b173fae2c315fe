import { literal } from '../../grammar/rules.ts';
import { ID_MARK, INDEX_MARK, KIND_MARK } from './call-text.ts';

const MADE_UP: Readonly<Record<string, string>> = {
  [ID_MARK]: '[a-zA-Z0-9]{9}',
  [INDEX_MARK]: '[0-9]{1,4}',
  [KIND_MARK]: '("number" | "boolean" | "null" | "object" | "array")',
};

/** The text of a format, with any id, number or kind where the model writes one. */
export function textRule(text: string): string {
  const parts = text.split(new RegExp(`([${Object.keys(MADE_UP).join('')}])`)).filter((part) => part !== '');
  return parts.map((part) => MADE_UP[part] ?? literal(part)).join(' ') || '""';
}
