import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const PROGRAM = join(import.meta.dirname, 'guarded-server.js');

/** An MCP server that wants a login at a real authorization server, which has a different origin. */
export async function guardedServer(...words: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { issuer, url } = JSON.parse(line) as { issuer: string; url: string };
  const control = async (act: string) =>
    (await fetch(new URL(`/control/${act}`, url))).json() as Promise<string[]>;
  return {
    issuer,
    url,
    /** From now on, the server accepts none of the access tokens that it issued. */
    endAccess: () => control('end-access'),
    /** Nor any refresh token. */
    endAll: () => control('end-all'),
    /** It refuses one request at once, and further ones only after a new token has been used. */
    refuseLate: () => control('refuse-late'),
    /** Everything that it issued. */
    tokens: () => control('tokens'),
    /** What it granted and revoked, in order. */
    grants: () => control('grants'),
  };
}

/** Follows a URL as a browser does, with cookies, until it is redirected back; resolves to that URL. */
export async function browseTo(address: string, back: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(address);
  for (let hops = 0; hops < 12 && !at.href.startsWith(back); hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const next = response.headers.get('location');
    if (next === null) throw new Error(`${at.href} answers ${response.status}: ${await response.text()}`);
    at = new URL(next, at);
  }
  return at;
}
