import { Failure } from '../../base/errors.ts';

/** The code of the most likely language of a text. */
export async function detectLanguage(text: string): Promise<string> {
  // Its tables take a while to load, and most translations never need them.
  const { detect } = await import('tinyld');
  const code = detect(text);
  if (code !== '') return code;
  throw new Failure(
    'invalid_value',
    'The language of this text cannot be detected, and this model needs it. Set "source_language".',
    { param: 'source_language' },
  );
}
