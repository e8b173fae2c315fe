import { literal } from '../../grammar/rules.ts';
import { ID_MARK, INDEX_MARK, KIND_MARK } from './call-text.ts';

const MADE_UP: Readonly<Record<string, string>> = {
  [ID_MARK]: '[a-zA-Z0-9]{9}',
  [INDEX_MARK]: '[0-9]{1,4}',
  [KIND_MARK]: '("number" | "boolean" | "null" | "object" | "array")',
};

/** The rule of a format's text, with any id, number or type at its placeholders. */
export function textRule(text: string): string {
  const parts = text.split(new RegExp(`([${Object.keys(MADE_UP).join('')}])`)).filter((part) => part !== '');
  return parts.map((part) => MADE_UP[part] ?? literal(part)).join(' ') || '""';
}
