import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedResponse } from './exchange.ts';

export type Speed = 'recorded' | 'full';

const WITHOUT_BODY = [204, 205, 304];

/** Sends a recorded answer: the same bytes, with the parts of a stream sent separately. */
export async function replay(
  recorded: RecordedResponse,
  response: ServerResponse,
  speed: Speed,
): Promise<void> {
  const { status, headers, ms, chunks, cut } = recorded;
  const startMs = performance.now();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const until = async (atMs: number) => {
    const waitMs = speed === 'full' ? 0 : atMs - (performance.now() - startMs);
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: gone.signal });
  };
  try {
    await until(ms);
    const whole = chunks ? undefined : wholeBodyOf(recorded);
    const hasLength = whole && !cut && !WITHOUT_BODY.includes(status);
    response.writeHead(status, { ...headers, ...(hasLength && { 'content-length': whole.length }) });
    response.flushHeaders();
    if (whole && whole.length > 0) response.write(whole);
    for (const [atMs, content] of chunks ?? []) {
      await until(atMs);
      const isTaken = response.write(Buffer.from(content, recorded.encoding ?? 'utf8'));
      if (!isTaken) await once(response, 'drain', { signal: gone.signal });
    }
    await (cut ? breakOff(response) : new Promise<void>((resolve) => response.end(resolve)));
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

function wholeBodyOf({ body, text, base64 }: RecordedResponse): Buffer {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)));
}

/** What was written before still arrives, and then the connection breaks. */
async function breakOff(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.write('', () => resolve()));
  response.socket?.destroySoon();
}
