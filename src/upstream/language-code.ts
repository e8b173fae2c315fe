const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const inEnglish = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
let codes: Map<string, string> | undefined;

/** Servers report the detected language by its code or by its English name. */
export function languageCode(named: string | undefined): string | undefined {
  const text = named?.trim().toLowerCase() ?? '';
  if (/^[a-z]{2,3}$/.test(text)) return text;
  codes ??= new Map(LETTERS.flatMap((first) => LETTERS.map((second) => entry(first + second))));
  return codes.get(text);
}

function entry(code: string): [string, string] {
  return [inEnglish.of(code)?.toLowerCase() ?? code, code];
}
