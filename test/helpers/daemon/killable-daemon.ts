import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';

/** The real daemon on a home, until it is killed. */
export async function startKillable(
  home: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
) {
  const process_ = execa(process.execPath, [binFile('askd-daemon.js'), ...flags], {
    env: { ASKD_HOME: home, ASKD_PORT: '0', ...env },
    reject: false,
    buffer: false,
    stderr: 'inherit',
  });
  onTestFinished(kill);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let said = '';
    process_.stdout.on('data', (part: Buffer) => {
      said += part.toString();
      const address = /listening on (http:\S+)\/v1/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    process_.once('exit', (code) => reject(new Error(`The daemon ended with ${code} before it served`)));
  });
  const rootToken = readFileSync(join(home, 'root-token'), 'utf8').trim();

  async function kill(): Promise<void> {
    if (process_.exitCode !== null || process_.signalCode !== null) return;
    const gone = once(process_, 'exit');
    process_.kill('SIGKILL');
    await gone;
  }

  /** A control call with the root token; anything but success is an error. */
  async function control<Value>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Value> {
    const response = await request(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${rootToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text) as Value;
  }

  return { baseUrl, rootToken, kill, control };
}

export type Killable = Awaited<ReturnType<typeof startKillable>>;
