import { str, _, type Ajv, type FuncKeywordDefinition } from 'ajv';

/**
 * Faster versions of minLength and maxLength: Ajv counts every character of a text whatever its limit, which takes
 * longer than parsing a body of many megabytes.
 */
export function addLengthKeywords(ajv: Ajv): void {
  ajv.removeKeyword('minLength').removeKeyword('maxLength');
  ajv.addKeyword(lengthKeyword('minLength', 'fewer', hasAtLeast));
  ajv.addKeyword(lengthKeyword('maxLength', 'more', hasAtMost));
}

function lengthKeyword(
  keyword: string,
  amount: string,
  holds: (text: string, limit: number) => boolean,
): FuncKeywordDefinition {
  return {
    keyword,
    type: 'string',
    schemaType: 'number',
    compile: (limit: number) => (text: string) => holds(text, limit),
    error: {
      message: ({ schemaCode }) => str`must NOT have ${amount} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
  };
}

/** A character takes one or two UTF-16 units. */
function hasAtMost(text: string, limit: number): boolean {
  return text.length <= limit || (text.length <= 2 * limit && countCharacters(text) <= limit);
}

function hasAtLeast(text: string, limit: number): boolean {
  return text.length >= 2 * limit || (text.length >= limit && countCharacters(text) >= limit);
}

function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (isPair(text, at)) count -= 1;
  return count;
}

/** Whether this is the second half of a surrogate pair. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}
