/** Licences, by the beginning of their texts. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/Apache License\s+Version 2\.0/i, 'apache-2.0'],
  [/\bMIT License\b|Permission is hereby granted, free of charge/i, 'mit'],
  [/LLAMA\s*([0-9.]+)\s+COMMUNITY LICENSE/i, 'llama$1'],
  [/Gemma Terms of Use/i, 'gemma'],
  [/Creative Commons Attribution-NonCommercial 4\.0/i, 'cc-by-nc-4.0'],
  [/BSD 3-Clause/i, 'bsd-3-clause'],
];

const BEGINNING = 2000;
const NAME_LENGTH_MAX = 60;

/** The short name of a licence's text, or its first line. */
export function licenceName(texts: readonly string[]): string {
  const names = texts.map((text) => nameOf(text.slice(0, BEGINNING)));
  return [...new Set(names)].join(', ');
}

function nameOf(text: string): string {
  for (const [sign, name] of NAMES) {
    const found = sign.exec(text);
    if (found) return name.replace('$1', found[1] ?? '');
  }
  const line = text.split('\n').find((each) => each.trim() !== '');
  return line?.trim().slice(0, NAME_LENGTH_MAX) ?? 'unknown';
}
