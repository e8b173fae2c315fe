import { writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeCertificates } from '../../../scripts/fixtures/certificates.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

/** A certificate and its key as files, for a name that is not the daemon's address. */
function certificateFiles(names = ['DNS:models.example.com']) {
  const folder = temporaryFolder();
  const made = makeCertificates(names);
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.key);
  return { ...made, files, env: { ASKD_TLS_CERT: files.cert, ASKD_TLS_KEY: files.key } };
}

function get(port: number, options: RequestOptions): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host: '127.0.0.1', port, path: '/healthz', agent: false, ...options },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    asking.on('error', reject).end();
  });
}

describe('a daemon with a certificate', () => {
  test('serves https to clients that trust it, by the names in the certificate and by its address', async () => {
    const { ca, env } = certificateFiles();
    const { port, call } = await startDaemon(env);
    const named = { ca, servername: 'models.example.com' };
    for (const host of [`models.example.com:${port}`, `127.0.0.1:${port}`]) {
      expect((await get(port, { ...named, headers: { host } })).status).toBe(200);
    }
    const otherHost = await get(port, { ...named, headers: { host: `evil.example:${port}` } });
    expect([otherHost.status, otherHost.text]).toEqual([403, expect.stringContaining('host_not_allowed')]);
    await expect(call('GET', '/healthz')).rejects.toThrow();
  });

  test('is found by its own command line, which accepts only this certificate', async () => {
    const { cert, env } = certificateFiles();
    const daemon = await startDaemon(env);
    announce(daemon, { certificate: cert });
    const shown = await runCli(['status', '--json'], { home: daemon.home });
    expect([shown.code, JSON.parse(shown.stdout)]).toMatchObject([
      0,
      { base_url: `https://127.0.0.1:${daemon.port}/v1` },
    ]);
    const byHost = ['status', '--json', '--host', `https://127.0.0.1:${daemon.port}`];
    expect((await runCli(byHost, { home: daemon.home })).code).toBe(0);
    announce(daemon, { certificate: certificateFiles().cert });
    const refused = await runCli(['status', '--no-autostart'], { home: daemon.home });
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('does not answer')]);
  });

  test('gives browsers cookies for https only', async () => {
    const { cert, env } = certificateFiles();
    const daemon = await startDaemon(env);
    announce(daemon, { certificate: cert });
    const { stdout } = await runCli(['session', 'create', '--json'], { home: daemon.home });
    expect((JSON.parse(stdout) as { cookie: string }).cookie).toMatch(/^__Host-askd_session=/);
  });
});

describe('settings that contradict each other', () => {
  test.each([
    [
      'a certificate without a key',
      ({ env }: Made) => ({ ...env, ASKD_TLS_KEY: '' }),
      'Set both, or neither',
    ],
    [
      'a file that is not there',
      ({ env }: Made) => ({ ...env, ASKD_TLS_CERT: '/no/such.pem' }),
      'cannot be read: ENOENT',
    ],
    [
      'the key of another certificate',
      ({ env }: Made) => ({ ...env, ASKD_TLS_KEY: certificateFiles().files.key }),
      'does not belong',
    ],
    [
      'a key where the certificate should be',
      ({ env, files }: Made) => ({ ...env, ASKD_TLS_CERT: files.key }),
      'is not an unencrypted PEM file',
    ],
  ])('%s', async (_, spoil, message) => {
    await expect(startDaemon(spoil(certificateFiles()))).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(message) as string,
    });
  });
});

type Made = ReturnType<typeof certificateFiles>;
