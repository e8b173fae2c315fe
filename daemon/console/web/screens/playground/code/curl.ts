import type { ApiRequest } from './api-request.ts';

export function toCurl(origin: string, { path, body, file, saveAs }: ApiRequest): string {
  const content =
    file === undefined
      ? ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body, null, 2))}`]
      : [`-F ${quote(`file=@"${escapeName(file)}"`)}`, ...Object.entries(body).flatMap(toFields)];
  return [
    // Unbuffered, so that a stream is visible as it arrives.
    `curl -N ${origin}${path}`,
    '-H "Authorization: Bearer $ASKD_API_KEY"',
    ...content,
    ...(saveAs === undefined ? [] : [`-o ${quote(saveAs)}`]),
  ].join(' \\\n  ');
}

/** A value that starts with "@" would name a file in -F. */
function toFields([name, value]: [string, unknown]): string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value);
  const values = (isList ? value : [value]) as unknown[];
  return values.map((each) => `--form-string ${quote(`${name}${isList ? '[]' : ''}=${String(each)}`)}`);
}

function escapeName(name: string): string {
  return name.replace(/["\\]/g, '\\$&');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
