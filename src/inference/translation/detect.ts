import { Failure } from '../../base/errors.ts';

/** The code of the language that a text is most likely written in. */
export async function detectLanguage(text: string): Promise<string> {
  // Its tables take a while to read, and most translations never need them.
  const { detect } = await import('tinyld');
  const code = detect(text);
  if (code !== '') return code;
  throw new Failure(
    'invalid_value',
    'The language of this text cannot be detected, and this model needs it. Set "source_language".',
    { param: 'source_language' },
  );
}
