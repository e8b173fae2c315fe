import type { IncomingHttpHeaders } from 'node:http';
import { SECRET_SHAPE } from '../../../base/secrets.ts';

export type Redactor = ReturnType<typeof createRedactor>;

const REDACTED = '[redacted]';
/** Shorter values, such as `test`, are part of ordinary words. */
const SECRET_LENGTH_MIN = 8;
const SECRET_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];
const SECRET_PARAMETERS = /^(key|api[-_]?key|token|access_token|signature)$/i;
/** Key formats of common providers. */
const KEY_SHAPE =
  /\b(?:sk-[\w-]{12,}|gsk_\w{16,}|xai-\w{16,}|hf_\w{16,}|AIza[\w-]{20,}|gh[opsu]_\w{20,}|Bearer [\w.~+/=-]{16,})/;

/** The values with which a request authenticates itself. */
export function secretsOf(headers: IncomingHttpHeaders): string[] {
  const values = SECRET_HEADERS.flatMap((name) => headers[name] ?? []);
  const cookies = headers.cookie?.split(';').map((each) => each.slice(each.indexOf('=') + 1).trim()) ?? [];
  return [...values, ...values.flatMap((value) => value.split(/\s+/)), ...cookies];
}

/** Removes keys by their format, and these values wherever they occur, even escaped. */
export function createRedactor(secrets: readonly string[] = []) {
  const values = [...new Set(secrets.flatMap(spellings))].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(
    [...values.map(literally), KEY_SHAPE.source, SECRET_SHAPE.source].join('|'),
    'g',
  );
  const text = (content: string): string => content.replace(pattern, REDACTED);

  return {
    text,
    parameter: (name: string, value: string) => (SECRET_PARAMETERS.test(name) ? REDACTED : text(value)),
    bytes: (content: Buffer) => Buffer.from(text(content.toString('latin1')), 'latin1'),
    /** A secret may start in one part and end in another. */
    parts(parts: readonly string[]): string[] {
      const whole = parts.join('');
      const found = [...whole.matchAll(pattern)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
      }));
      let partEnd = 0;
      return parts.map((part) => {
        const partStart = partEnd;
        partEnd += part.length;
        let kept = '';
        let at = partStart;
        for (const { start, end } of found.filter((each) => each.end > partStart && each.start < partEnd)) {
          if (start >= partStart) kept += whole.slice(at, start) + REDACTED;
          at = Math.min(end, partEnd);
        }
        return kept + whole.slice(at, partEnd);
      });
    },
  };
}

function spellings(secret: string): string[] {
  if (secret.length < SECRET_LENGTH_MIN) return [];
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
