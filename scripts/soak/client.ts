import { request } from 'undici';
import { isFailureCode } from '../../src/base/errors.ts';

/** Codes of the contract that nothing here may cause. */
const NEVER = [
  'internal_error',
  'origin_not_allowed',
  'invalid_api_key',
  'not_found',
  'store_damaged',
  'invalid_value',
  'missing_required_parameter',
];

export type Client = ReturnType<typeof createClient>;
type Ask = { method?: string; body?: unknown; token?: string; signal?: AbortSignal };

/**
 * Sends requests to the daemon and counts how they ended: answered, refused with a code of the contract, or in a way
 * that must not happen.
 */
export function createClient({
  baseUrl,
  key,
  rootToken,
}: {
  baseUrl: string;
  key: string;
  rootToken: string;
}) {
  const root = baseUrl.replace(/\/v1$/, '');
  const counts = { answered: 0, left: 0 };
  const refusals = new Map<string, number>();
  const findings = new Map<string, number>();
  const add = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);

  async function ask(path: string, { method, body, token, signal }: Ask = {}): Promise<string | undefined> {
    const isManagement = path.startsWith('/api/');
    try {
      const response = await request(root + path, {
        method: (method ?? (body === undefined ? 'GET' : 'POST')) as 'GET',
        headers: {
          authorization: `Bearer ${token ?? (isManagement ? rootToken : key)}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const text = await response.body.text();
      return classify(path, response.statusCode, text);
    } catch (error) {
      if (signal?.aborted) counts.left += 1;
      else add(findings, `${path}: ${describe(error)}`);
      return undefined;
    }
  }

  function classify(path: string, status: number, text: string): string | undefined {
    const code = status >= 400 ? codeIn(text) : /"code":"(\w+)"/.exec(text)?.[1];
    if (code === undefined && status < 400) {
      counts.answered += 1;
      return text;
    }
    if (code !== undefined && isFailureCode(code) && !NEVER.includes(code)) add(refusals, code);
    else add(findings, `${path}: ${status} ${text.slice(0, 200)}`);
    return undefined;
  }

  return { ask, counts, refusals, findings };
}

function codeIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  const { message, cause } = error as Error;
  return `${message} ${(cause as NodeJS.ErrnoException | undefined)?.code ?? ''}`.trim();
}
