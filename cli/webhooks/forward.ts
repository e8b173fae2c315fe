import { request as requestHttp, type OutgoingHttpHeaders } from 'node:http';
import { Failure } from '../../src/base/errors.ts';
import type { Incoming } from './receiver.ts';

const TIMEOUT_MS = 15_000;
const FORWARDED = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

export function parseForwardUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new Failure('invalid_value', `"${text}" is not an address such as http://localhost:3000/hook.`);
}

/** Forwards a delivery unchanged, including its signature, and resolves to the receiver's status. */
export async function forward(url: URL, { headers, body }: Incoming): Promise<number> {
  const open = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  const kept: OutgoingHttpHeaders = { 'content-length': body.length };
  for (const name of FORWARDED) if (headers[name] !== undefined) kept[name] = headers[name];
  return new Promise((resolve, reject) => {
    const request = open(
      url,
      { method: 'POST', headers: kept, agent: false, timeout: TIMEOUT_MS },
      (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode ?? 502);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', reject);
    request.end(body);
  });
}
