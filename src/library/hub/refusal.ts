import { Failure, type FailureDetails } from '../../base/errors.ts';
import { headerOf, type Answer } from './request.ts';
import { Interrupted } from './interrupted.ts';

export type HubRequest = {
  endpoint: string;
  repo: string;
  revision?: string | undefined;
  path?: string | undefined;
};

const WAIT_SECONDS_MAX = 600;
/** The daemon reads the token when it starts. */
const TOKEN_COMMANDS = 'askd secrets set hub_token, then askd restart';
const RETRY_SOON = [408, 425, 429];

/** Maps an error of the hub: a temporary one, or a permanent one with its fix. */
export function refusalOf(
  answer: Pick<Answer, 'statusCode' | 'headers'>,
  request: HubRequest,
): Failure | Interrupted {
  const status = answer.statusCode;
  if (RETRY_SOON.includes(status) || status >= 500) {
    return new Interrupted(`the hub answered ${status}`, { waitMs: waitOf(answer) });
  }
  const code = headerOf(answer, 'x-error-code');
  const page = `${request.endpoint}/${request.repo}`;
  if (code === 'GatedRepo') return gated(status, request.repo, page);
  if (code === 'EntryNotFound' || (status === 404 && request.path !== undefined && code === undefined)) {
    return missing(
      `${request.repo} has no file ${request.path ?? ''}. See ${page}/tree/${request.revision ?? 'main'}`,
    );
  }
  if (code === 'RevisionNotFound')
    return missing(`${request.repo} has no revision ${request.revision ?? ''}.`);
  if (status === 401) {
    return denied(
      `The hub has no ${request.repo} for you: it does not exist, or it is private. If it is yours, give askd your ` +
        `token: ${TOKEN_COMMANDS}`,
    );
  }
  if (status === 403) return denied(`The hub denies access to ${request.repo} (${status}). See ${page}`);
  if (status === 404 || code === 'RepoNotFound') return missing(`The hub has no model ${request.repo}.`);
  return new Failure('hub_unreachable', `The hub gave an unexpected answer for ${request.repo}: ${status}.`);
}

/** 401 means that the token is missing or wrong, 403 that its account has not accepted the terms. */
function gated(status: number, repo: string, page: string): Failure {
  if (status === 403)
    return denied(`${repo} is gated. Accept its terms with the account of your token: ${page}`);
  return denied(
    `${repo} is gated. Accept its terms at ${page} and create a token of your account. Then give it to askd: ${TOKEN_COMMANDS}`,
    { fix: TOKEN_COMMANDS },
  );
}

function denied(message: string, details: FailureDetails = {}): Failure {
  return new Failure('hub_access_denied', message, { param: 'model', details });
}

function missing(message: string): Failure {
  return new Failure('hub_not_found', message, { param: 'model' });
}

/** `ratelimit: "api";r=0;t=55` is the hub's own header, Retry-After the standard one. */
function waitOf(answer: Pick<Answer, 'headers'>): number | undefined {
  const own = /;\s*t=(\d+)/.exec(headerOf(answer, 'ratelimit') ?? '')?.[1];
  const seconds = Number(own ?? headerOf(answer, 'retry-after'));
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(seconds, WAIT_SECONDS_MAX) * 1000;
}
