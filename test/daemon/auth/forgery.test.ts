import { describe, expect, test } from 'vitest';
import { send, startDaemon } from '../../helpers/daemon/daemon.ts';
import {
  OWN_PAGE,
  codeOf,
  openBrowserSession,
  openScriptSession,
  type Headers,
} from '../../helpers/accounts/sessions.ts';

describe('a page of another site', () => {
  const write = { body: { name: 'forged' } };

  test('cannot use a browser’s session to write', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    const own = `http://127.0.0.1:${daemon.port}`;
    const forged: Headers[] = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-site', origin: own },
      { 'sec-fetch-site': 'same-origin, cross-site' },
      { 'sec-fetch-site': '' },
      { origin: `http://127.0.0.1:${daemon.port + 1}` },
      { origin: `https://127.0.0.1:${daemon.port}` },
      { origin: `${own}.evil.example` },
      { origin: `${own}/` },
      { origin: `${own}, http://evil.example` },
      { origin: `http://localhost:${daemon.port}` },
      { origin: 'null' },
    ];
    for (const headers of forged) {
      const reply = await call('POST', '/api/keys', { ...write, headers });
      expect([headers, reply.status, codeOf(reply)]).toEqual([headers, 403, 'origin_not_allowed']);
    }
    const rightful: Headers[] = [OWN_PAGE, { origin: own }, { ...OWN_PAGE, origin: own }];
    for (const headers of rightful) {
      expect((await call('POST', '/api/keys', { ...write, headers })).status).toBe(201);
    }
  });

  test('cannot use a script’s session either, though programs need no Origin', async () => {
    const daemon = await startDaemon();
    const { call } = await openScriptSession(daemon);
    const forged: Headers[] = [
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
    ];
    for (const headers of forged) {
      expect((await call('POST', '/api/keys', { ...write, headers })).status).toBe(403);
    }
    expect((await call('POST', '/api/keys', write)).status).toBe(201);
  });

  test('cannot pause or resume a download, or take any other action on models', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    const forged: Headers[] = [
      {},
      { origin: `http://127.0.0.1:${daemon.port + 1}` },
      { 'sec-fetch-site': 'same-site' },
    ];
    const paths = [
      'pulls/dl_1/pause',
      'pulls/dl_1/resume',
      'pulls',
      'load',
      'stop',
      'bind',
      'remove',
      'docs',
    ];
    for (const path of paths) {
      for (const headers of forged) {
        const reply = await call('POST', `/api/daemon/${path}`, { headers });
        expect([path, headers, reply.status, codeOf(reply)]).toEqual([
          path,
          headers,
          403,
          'origin_not_allowed',
        ]);
      }
      expect((await daemon.call('POST', `/api/daemon/${path}`, { token: daemon.key, body: {} })).status).toBe(
        403,
      );
    }
    expect((await call('POST', '/api/daemon/pulls/dl_1/pause', { headers: OWN_PAGE })).status).toBe(404);
  });

  test('cannot even read with the session', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    for (const site of ['cross-site', 'same-site']) {
      expect((await call('GET', '/api/keys', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    }
    const direct = await call('GET', '/api/keys', { headers: { 'sec-fetch-site': 'none' } });
    expect([direct.status, direct.headers['cross-origin-resource-policy']]).toEqual([200, 'same-origin']);
  });

  test('cannot disguise JSON as a form', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const reply = await call('POST', '/api/keys', {
        body: '{"name":"forged"}',
        headers: { ...OWN_PAGE, 'content-type': type },
      });
      expect([type, reply.status, codeOf(reply)]).toEqual([type, 415, 'unsupported_media_type']);
    }
  });

  test('cannot smuggle in another Host', async () => {
    const daemon = await startDaemon();
    const { cookie } = await openBrowserSession(daemon);
    for (const host of [
      'evil.example',
      `127.0.0.1:${daemon.port}@evil.example`,
      `127.0.0.1.evil.example:${daemon.port}`,
    ]) {
      const reply = await send({
        port: daemon.port,
        path: '/api/keys',
        headers: { host, cookie, ...OWN_PAGE, 'x-forwarded-host': `127.0.0.1:${daemon.port}` },
      });
      expect([host, reply.status, codeOf(reply)]).toEqual([host, 403, 'host_not_allowed']);
    }
    const absolute = await send({
      port: daemon.port,
      path: 'http://evil.example/api/keys',
      headers: { host: `127.0.0.1:${daemon.port}`, cookie, ...OWN_PAGE },
    });
    expect([absolute.status, codeOf(absolute)]).toEqual([403, 'host_not_allowed']);
  });
});
