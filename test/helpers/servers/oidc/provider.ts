import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'provider.js');

/** A real OpenID provider from npm, in a separate process, with one user. */
export async function openProvider({ email, isVerified = true }: { email: string; isVerified?: boolean }) {
  const words = [PROGRAM, email, isVerified ? 'verified' : 'unverified'];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  const [issuer] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    issuer,
    /** Settings of a daemon whose members sign in there. */
    env: {
      ASKD_OIDC_ISSUER: issuer,
      ASKD_OIDC_CLIENT_ID: 'askd',
      ASKD_OIDC_CLIENT_SECRET: 'secret-of-askd',
    },
    /** Before the first login: where browsers are redirected. */
    accept: (redirectUri: string) =>
      fetch(`${issuer}/control/client?redirect=${encodeURIComponent(redirectUri)}`),
  };
}
