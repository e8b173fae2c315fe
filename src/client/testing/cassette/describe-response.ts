import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import type { Chunk, RecordedResponse } from './exchange.ts';
import type { Captured } from './forward.ts';
import type { Redactor } from './redact.ts';

/** The headers that clients act on. Dates, ids and cookies differ each time. */
const KEPT_HEADERS =
  /^(content-type|content-encoding|content-disposition|location|retry-after(-ms)?|www-authenticate|x-.+|anthropic-ratelimit-.+)$/;
const LEFT_OUT_HEADERS = /^x-(request-id|amzn-.*|cloud-trace-context|envoy-.*)$/;

/** How the parts of a stream end, so that it is split in the same way however the network split it. */
const ENDS: readonly { type: RegExp; end: RegExp }[] = [
  { type: /^text\/event-stream/, end: /\r?\n\r?\n/g },
  { type: /^application\/(x-)?(ndjson|jsonl|jsonlines)/, end: /\n/g },
];

export function describeResponse(captured: Captured, redactor: Redactor): RecordedResponse {
  const { status, headers, headersMs, endMs, isCut } = captured;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    KEPT_HEADERS.test(name) && !LEFT_OUT_HEADERS.test(name)
      ? [[name, redactor.text(String(value))] as const]
      : [],
  );
  const content = contentOf(captured, redactor);
  return {
    status,
    headers: Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))),
    ms: content.chunks ? headersMs : endMs,
    ...content,
    ...(isCut && { cut: true as const }),
  };
}

function contentOf({ headers, parts }: Captured, redactor: Redactor): Partial<RecordedResponse> {
  const type = headers['content-type'] ?? '';
  const whole = Buffer.concat(parts.map(({ bytes }) => bytes));
  const end = ENDS.find((each) => each.type.test(type))?.end;
  if (end && isUtf8(whole)) return { chunks: framesOf(parts, end, redactor) };
  if (isUtf8(whole)) return textOf(redactor.text(whole.toString('utf8')));
  if (parts.length === 1 || headers['content-length'] !== undefined)
    return { base64: redactor.bytes(whole).toString('base64') };
  const redacted = redactor.parts(parts.map(({ bytes }) => bytes.toString('latin1')));
  const chunks = redacted.map((each, at): Chunk => [
    parts[at]?.ms ?? 0,
    Buffer.from(each, 'latin1').toString('base64'),
  ]);
  return { chunks, encoding: 'base64' };
}

/** As JSON if that reproduces the same bytes. */
function textOf(text: string): Partial<RecordedResponse> {
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    return JSON.stringify(body) === text ? { body } : { text };
  } catch {
    return { text };
  }
}

function framesOf(parts: Captured['parts'], end: RegExp, redactor: Redactor): Chunk[] {
  const decoder = new StringDecoder('utf8');
  const frames: { ms: number; text: string }[] = [];
  let rest = '';
  for (const { ms, bytes } of parts) {
    rest += decoder.write(bytes);
    let from = 0;
    for (const match of rest.matchAll(end)) {
      const to = match.index + match[0].length;
      frames.push({ ms, text: rest.slice(from, to) });
      from = to;
    }
    rest = rest.slice(from);
  }
  if (rest !== '') frames.push({ ms: parts.at(-1)?.ms ?? 0, text: rest });
  const texts = redactor.parts(frames.map(({ text }) => text));
  return frames.map(({ ms }, at) => [ms, texts[at] ?? '']);
}
