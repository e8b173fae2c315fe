import type { InputPart } from '../../../src/api/chat/response-input.ts';
import { required } from '../../http/required.ts';

type ReadDocument = (url: string, param: string) => Promise<string>;

/** The text of a file in a message, under its name. */
export async function fileText(part: InputPart, at: string, read: ReadDocument): Promise<string> {
  const { filename = 'file', file_data: data, file_url: address } = part;
  const param = `${at}.${address === undefined ? 'file_data' : 'file_url'}`;
  const url = address ?? dataUrl(required(data, param));
  return `${filename}:\n${await read(url, param)}`;
}

/** Some clients send plain base64, whose type only its first bytes tell. */
function dataUrl(data: string): string {
  return data.startsWith('data:') ? data : `data:text/plain;base64,${data}`;
}
