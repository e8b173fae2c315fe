import type { InputPart } from '../../src/api/response-input.ts';
import { Failure } from '../../src/errors.ts';
import { required } from '../required.ts';

/** The text of a file that a message brings, under its name. */
export function fileText({ filename = 'file', file_data: data }: InputPart, at: string): string {
  const param = `${at}.file_data`;
  const bytes = Buffer.from(required(data, param).replace(/^data:[^,]*,/, ''), 'base64');
  try {
    return `${filename}:\n${new TextDecoder('utf-8', { fatal: true }).decode(bytes)}`;
  } catch (cause) {
    const message = `"${filename}" is not a text in UTF-8. Send its text in a part of the type "input_text".`;
    throw new Failure('invalid_value', message, { param, cause });
  }
}
