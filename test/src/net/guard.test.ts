import { describe, expect, test } from 'vitest';
import { createGuard, type Guard } from '../../../src/net/guard.ts';
import { OutboundError } from '../../../src/net/outbound-error.ts';
import { HOSTILE_URLS } from '../../helpers/servers/hostile-urls.ts';

const PUBLIC = '93.184.215.14';

function guardOver(
  answers: Record<string, readonly string[]> = {},
  allowCidrs: readonly string[] = [],
): Guard {
  return createGuard({
    allowCidrs,
    ownPort: () => 11535,
    resolve: async (host) => {
      const found = answers[host];
      if (found === undefined) throw new OutboundError('dns_not_found', 'ENOTFOUND');
      return [...found];
    },
  });
}

const refusal = { kind: expect.stringMatching(/^(url|address)_refused$/) as string };

test.each(HOSTILE_URLS)('%s is refused: %s', async (_, url) => {
  await expect(guardOver().check(url)).rejects.toMatchObject(refusal);
  await expect(guardOver().check(url, { plainHttp: true })).rejects.toMatchObject(refusal);
});

test.each([
  ['https://hooks.example.com/in'],
  ['https://hooks.example.com:8443/in?key=1'],
  ['https://HOOKS.example.com./in'],
  [`https://${PUBLIC}/in`],
  ['https://[2606:4700:4700::1111]/in'],
])('%s is accepted', async (url) => {
  const guard = guardOver({ 'hooks.example.com': [PUBLIC], 'hooks.example.com.': [PUBLIC] });
  expect((await guard.check(url)).href).toBe(new URL(url).href);
});

describe('a name', () => {
  test('with one private answer among several is refused', async () => {
    const guard = guardOver({ 'mixed.example.com': [PUBLIC, '10.0.0.1'] });
    await expect(guard.check('https://mixed.example.com/')).rejects.toMatchObject({
      kind: 'address_refused',
    });
  });

  test('that resolves to a private address is refused without revealing which', async () => {
    const guard = guardOver({ 'inside.example.com': ['10.1.2.3'] });
    await expect(guard.check('https://inside.example.com/')).rejects.toThrow(/^resolves to a private/);
    await expect(guard.check('https://inside.example.com/')).rejects.not.toThrow(/10\.1/);
  });

  test('that does not resolve is accepted when entered, and refused when used', async () => {
    const guard = guardOver();
    const url = await guard.check('https://later.example.com/');
    await expect(guard.addressesOf(url)).rejects.toMatchObject({ kind: 'dns_not_found' });
  });

  test('that later resolves to a private address is refused when used', async () => {
    const answers = { 'rebind.example.com': [PUBLIC] };
    const guard = guardOver(answers);
    const url = await guard.check('https://rebind.example.com/');
    answers['rebind.example.com'] = ['127.0.0.1'];
    await expect(guard.addressesOf(url)).rejects.toMatchObject({ kind: 'address_refused' });
  });
});

describe('an allow-list', () => {
  const lan = ['192.168.1.0/24', '127.0.0.0/8'];
  const answers = {
    'n8n.lan': ['192.168.1.5'],
    'half.lan': ['192.168.1.5', PUBLIC],
    'pub.example.com': [PUBLIC],
  };
  const guard = guardOver(answers, lan);

  test.each([['https://192.168.1.5/'], ['http://192.168.1.5:5678/in'], ['http://n8n.lan:5678/in']])(
    'opens %s',
    async (url) => expect((await guard.check(url)).href).toBe(url),
  );

  test.each([
    ['another private network', 'https://192.168.2.5/'],
    ['plain HTTP to a public host', 'http://pub.example.com/'],
    ['a local name with a public answer', 'https://half.lan/'],
    ['a local name that nobody knows', 'https://unknown.lan/'],
    ['the port of this server', 'http://127.0.0.1:11535/'],
    ['metadata', 'http://169.254.169.254/'],
  ])('does not open %s: %s', async (_, url) => {
    await expect(guard.check(url)).rejects.toMatchObject(refusal);
  });
});

test('an exception for one loopback port opens only that port', async () => {
  const guard = guardOver();
  await expect(guard.check('http://127.0.0.1:4000/', { loopbackPort: 4000 })).resolves.toBeInstanceOf(URL);
  const others = [
    'http://127.0.0.1:4001/',
    'http://127.0.0.2:4000/',
    'http://10.0.0.1:4000/',
    'http://[::1]:4000/',
  ];
  for (const url of others) {
    await expect(guard.check(url, { loopbackPort: 4000 })).rejects.toMatchObject(refusal);
  }
  await expect(guard.check('http://127.0.0.1:11535/', { loopbackPort: 11535 })).rejects.toMatchObject(
    refusal,
  );
});
