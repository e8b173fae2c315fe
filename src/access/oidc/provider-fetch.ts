import { providerFailed } from './failures.ts';

const ANSWER_MS_MAX = 5_000;
const ANSWER_BYTES_MAX = 512 * 1024;

export type ProviderAnswer = { status: number; body: Record<string, unknown> };
export type ProviderFetch = (url: string, init?: RequestInit) => Promise<ProviderAnswer>;

/**
 * Requests to the provider that the owner chose: https except on this machine, bounded, and without following
 * redirects.
 */
export function createProviderFetch(answerMsMax = ANSWER_MS_MAX): ProviderFetch {
  return async (url, init = {}) => {
    if (!isSafeAddress(url)) throw providerFailed(`${url} is not an https URL`);
    const { origin } = new URL(url);
    try {
      const signal = AbortSignal.timeout(answerMsMax);
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      return { status: response.status, body: parse(await textOf(response)) };
    } catch (error) {
      throw providerFailed(`${origin} ${reasonOf(error as Error, answerMsMax)}`);
    }
  };
}

export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) throw new SyntaxError('the response is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new SyntaxError('the response is not an object');
}

function reasonOf(error: Error, answerMsMax: number): string {
  if (error.name === 'TimeoutError') return `did not respond within ${answerMsMax / 1000} s`;
  if (error instanceof SyntaxError) return 'sent an invalid response';
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return `could not be reached${code === undefined ? '' : ` (${code})`}`;
}
