import type { ErrorBody } from '../../../../src/api/error.ts';

/** The daemon's error response. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | null;
  /** The field of the request that caused it. */
  readonly param: string | null;

  constructor(status: number, { error }: ErrorBody) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.param = error.param;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const response = await reach(path, {
    method,
    // Screens only show data of their queries, which ask the daemon again after a change.
    cache: 'no-store',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  return (await response.json()) as Answer;
}

/** The response of a request that succeeded. */
export async function reach(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new Error('The daemon does not answer. Start it: askd up');
  });
  if (response.ok) return response;
  throw new ApiError(response.status, await readError(response));
}

async function readError(response: Response): Promise<ErrorBody> {
  try {
    return (await response.json()) as ErrorBody;
  } catch {
    const message = `The daemon answered ${response.status} without a reason. See its log: askd logs`;
    return { error: { message, type: 'api_error', param: null, code: null } };
  }
}
