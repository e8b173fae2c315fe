/** Punctuation between words, which the phonemizer would drop. */
const MARKS = /(\s*[;:,.!?¡¿—…"«»“”()]+\s*)/;

/** Phonemes for which the voices use another symbol. */
const OWN_SIGNS: Readonly<Record<string, string>> = { r: 'ɹ', x: 'k', ɬ: 'l', ʲ: 'j' };

type Phonemize = (text: string, language: string) => Promise<string[]>;

export type Accent = 'en-us' | 'en';

/** Converts English to phonemes. The phonemizer contains GPL code, so this runs only in runner processes. */
export async function openPhonemizer() {
  const phonemize = await load();
  return async (text: string, accent: Accent): Promise<string> => {
    let all = '';
    for (const [index, part] of text.split(MARKS).entries()) {
      const isMark = index % 2 === 1;
      all += isMark ? part.replace(/\s+/g, ' ') : (await phonemize(part, accent)).join(' ');
    }
    return all
      .replace(/[rxɬʲ]/g, (sign) => OWN_SIGNS[sign] ?? sign)
      .replace(/ z(?=[;:,.!?—…"“” ]|$)/g, 'z')
      .trim();
  };
}

/** It makes every unhandled rejection end the process, which is this process's decision. */
async function load(): Promise<Phonemize> {
  const before = process.listeners('unhandledRejection');
  const { phonemize } = (await import('phonemizer')) as { phonemize: Phonemize };
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener);
  }
  return phonemize;
}
