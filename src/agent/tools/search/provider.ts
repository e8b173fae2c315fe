import { OutboundError } from '../../../net/outbound-error.ts';
import type { OutboundResponse } from '../../../net/outbound.ts';
import type { AgentRequest } from '../../outbound.ts';

export type SearchResult = { url: string; title: string; snippet: string; date?: string };

/** Only `empty` is a reason to rephrase; after the others, another query would do no better. */
export type SearchOutcome =
  | { status: 'ok'; results: SearchResult[] }
  | { status: 'empty' }
  | { status: 'rate_limited'; reason: string; restMs?: number }
  | { status: 'blocked' | 'unavailable' | 'misconfigured'; reason: string };

export type SearchProvider = {
  name: string;
  /** Pause between two queries. */
  pauseMs: number;
  /** `limit` is for providers that accept a count; results may contain the same page under several URLs. */
  search(query: string, options: { limit: number; signal: AbortSignal }): Promise<SearchOutcome>;
};

export type Send = (request: AgentRequest) => Promise<OutboundResponse>;

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 2 * 1024 * 1024;

export type Asking = Pick<AgentRequest, 'url' | 'method' | 'headers' | 'body' | 'trusted'> & {
  signal: AbortSignal;
};

/** The response of a provider, or why there is none. An abort is thrown. */
export async function ask(send: Send, asking: Asking): Promise<OutboundResponse | SearchOutcome> {
  try {
    const limits = { timeoutMs: TIMEOUT_MS, bodyBytesMax: BODY_BYTES_MAX };
    return await send({ ...asking, ...limits });
  } catch (error) {
    asking.signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    const isRefused = error.kind === 'address_refused' || error.kind === 'url_refused';
    return { status: isRefused ? 'misconfigured' : 'unavailable', reason: error.message };
  }
}

export function isAnswer(answer: OutboundResponse | SearchOutcome): answer is OutboundResponse {
  return 'body' in answer;
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Reads an untrusted value as an object. */
export function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function readResults(list: unknown, names: { snippet: string; date: string }): SearchOutcome {
  const results = (Array.isArray(list) ? list : []).flatMap((each): SearchResult[] => {
    const { url, title = '', [names.snippet]: snippet = '', [names.date]: date } = fields(each);
    if (typeof url !== 'string') return [];
    return [
      { url, title: textOf(title), snippet: textOf(snippet), ...(typeof date === 'string' && { date }) },
    ];
  });
  return results.length === 0 ? { status: 'empty' } : { status: 'ok', results };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
