import type { ApiRequest } from './api-request.ts';
import { toCurl } from './curl.ts';
import { toJavaScript } from './javascript.ts';
import { toPython } from './python.ts';

const WRITERS = { curl: toCurl, JavaScript: toJavaScript, Python: toPython };

export type Language = keyof typeof WRITERS;
export const LANGUAGES = Object.keys(WRITERS) as Language[];

/** The request as a program would send it, with its key in the environment. */
export function toCode(language: Language, origin: string, request: ApiRequest): string {
  return WRITERS[language](origin, request);
}
