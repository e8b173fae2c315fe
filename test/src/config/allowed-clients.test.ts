import { describe, expect, test } from 'vitest';
import {
  isAllowedHost,
  isAllowedOrigin,
  parseHost,
  parseOrigin,
} from '../../../src/config/allowed-clients.ts';

describe('an origin', () => {
  test.each([
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['HTTPS://Chat.Example:443', 'https://chat.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['app://obsidian.md', 'app://obsidian.md'],
    ['tauri://localhost', 'tauri://localhost'],
    ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
    ['vscode-webview://*', 'vscode-webview://*'],
  ])('%s is read as %s', (written, origin) => expect(parseOrigin(written)).toBe(origin));

  test.each([
    ...['*', 'null', 'http://*', 'https://*', 'http://*.example', 'localhost:8080', 'http://', ''],
    ...['http://a.example/path', 'http://a.example?q', 'http://a@b.example', 'file:///home', 'file://*'],
    ...['app://a b', 'app://x;rm', 'http://localhost:99999', 'app://$(id)', "app://'"],
  ])('is not: %s', (written) => expect(parseOrigin(written)).toBeUndefined());

  test('is compared as a whole, by scheme, host and port', () => {
    const allowed = ['http://localhost:8080', 'vscode-webview://*', 'app://obsidian.md'];
    const yes = [
      'http://localhost:8080',
      'HTTP://LOCALHOST:8080',
      'vscode-webview://0abc',
      'app://obsidian.md',
    ];
    for (const origin of yes) expect([origin, isAllowedOrigin(allowed, origin)]).toEqual([origin, true]);
    const no = [
      ...[
        'http://localhost',
        'http://localhost:80800',
        'https://localhost:8080',
        'http://localhost.evil:8080',
      ],
      ...[
        'app://obsidian.md.evil',
        'app://*',
        'app://other',
        'vscode-webview://*',
        'vscode-webviewx://a',
        'null',
      ],
    ];
    for (const origin of no) expect([origin, isAllowedOrigin(allowed, origin)]).toEqual([origin, false]);
  });
});

describe('a host', () => {
  test.each([
    ['host.docker.internal', 'host.docker.internal'],
    ['MyBox.lan:8443', 'mybox.lan:8443'],
    ['my_box', 'my_box'],
    ['::1', '[::1]'],
    ['[fe80::1]:80', '[fe80::1]:80'],
  ])('%s is read as %s', (written, host) => expect(parseHost(written)).toBe(host));

  test.each(['*', '*.lan', 'http://mybox', 'a b', 'mybox:', 'mybox:99999', 'a;b', '$(id)', '', '.', '[x]'])(
    'is not: %s',
    (written) => expect(parseHost(written)).toBeUndefined(),
  );

  test('without a port is allowed with every port, and one with a port with that one', () => {
    const allowed = ['host.docker.internal', 'mybox:8443'];
    for (const host of ['host.docker.internal:1', 'HOST.docker.internal', 'mybox:8443']) {
      expect([host, isAllowedHost(allowed, host)]).toEqual([host, true]);
    }
    for (const host of ['mybox', 'mybox:1', 'x.host.docker.internal', 'host.docker.internal.evil', '']) {
      expect([host, isAllowedHost(allowed, host)]).toEqual([host, false]);
    }
  });
});
