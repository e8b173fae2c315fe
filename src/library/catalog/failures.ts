import { Failure } from '../../base/errors.ts';

const KEPT = 'The current catalogue stays in use.';

/** The file is not what was published. */
export function catalogInvalid(why: string, cause?: unknown): Failure {
  return new Failure('catalog_invalid', `The catalogue cannot be used. ${why}. ${KEPT}`, { cause });
}

/** It is genuine, but a newer one is in use, or must exist. */
export function catalogOutdated(why: string): Failure {
  return new Failure('catalog_outdated', `The catalogue cannot be used. ${why}. ${KEPT}`);
}

export function catalogTooNew(needs: string, current: string): Failure {
  const message = `The catalogue needs askd ${needs} or newer, and this is ${current}. ${KEPT}`;
  return new Failure('catalog_too_new', message, {
    details: { fix: 'npm install -g askd@latest && askd restart' },
  });
}

export function catalogUnavailable(why: string, options: { fix?: string; cause?: unknown } = {}): Failure {
  const { fix, cause } = options;
  return new Failure('catalog_unavailable', `${why} ${KEPT}`, { cause, ...(fix && { details: { fix } }) });
}
