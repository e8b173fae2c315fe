const CODES = [
  ...['ar', 'bg', 'bn', 'ca', 'cs', 'da', 'de', 'el', 'en', 'es', 'et', 'fa', 'fi', 'fr', 'he', 'hi', 'hr'],
  ...['hu', 'id', 'it', 'ja', 'ko', 'lt', 'lv', 'ms', 'nl', 'no', 'pl', 'pt', 'pt-BR', 'ro', 'ru', 'sk'],
  ...['sl', 'sr', 'sv', 'sw', 'ta', 'th', 'tr', 'uk', 'ur', 'vi', 'zh-Hans', 'zh-Hant'],
];

/** Suggestions. The daemon accepts any other name or code as well. */
export const LANGUAGE_NAMES: readonly string[] = namesOf(CODES);

function namesOf(codes: readonly string[]): string[] {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return codes.map((code) => names.of(code) ?? code).sort((one, other) => one.localeCompare(other));
}
