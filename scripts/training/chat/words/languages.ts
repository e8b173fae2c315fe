/** The six languages, and the order in which every row of the lexicon has them. */
export const CODES = ['en', 'de', 'fr', 'es', 'it', 'pt'] as const;
export type Code = (typeof CODES)[number];
export const LANGUAGES: Readonly<Record<Code, string>> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  it: 'Italian',
  pt: 'Portuguese',
};

export type InAll<Form> = Readonly<Record<Code, Form>>;

export function inAll<Form>(make: (code: Code, index: number) => Form): InAll<Form> {
  return Object.fromEntries(CODES.map((code, index) => [code, make(code, index)])) as InAll<Form>;
}

/** The lines of a table, each cut at its bars: one part for each language. "=" is the same as the part before it. */
export function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const row: string[] = [];
      for (const part of line.split('|').map((each) => each.trim()))
        row.push(part === '=' ? (row.at(-1) ?? '') : part);
      if (row.length !== CODES.length) throw new Error(`Not in six languages: ${line}`);
      return row;
    });
}

export const formsOf = (row: readonly string[]): InAll<string> => inAll((_, index) => row[index] ?? '');
