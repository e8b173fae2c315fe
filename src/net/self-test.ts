import { OutboundError } from './outbound-error.ts';
import type { Outbound } from './outbound.ts';

/**
 * Tries to reach this very server through the outbound guard. Resolves to what got through, which should be nothing.
 */
export async function holesInGuard(outbound: Outbound, port: number): Promise<string[]> {
  const urls = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'].map(
    (host) => `http://${host}:${port}/healthz`,
  );
  const results = await Promise.all(urls.map(async (url) => ((await isRefused(outbound, url)) ? [] : [url])));
  return results.flat();
}

async function isRefused(outbound: Outbound, url: string): Promise<boolean> {
  try {
    await outbound.request({ url, method: 'GET', plainHttp: true, timeoutMs: 5_000, bodyBytesMax: 0 });
    return false;
  } catch (error) {
    const kind = error instanceof OutboundError ? error.kind : undefined;
    return kind === 'address_refused' || kind === 'url_refused';
  }
}
