import { expect, test } from 'vitest';
import { canonicalAddress, classifyAddress, createAllowList } from '../../../src/net/addresses.ts';

test.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
  '%s is public',
  (address) => expect(classifyAddress(address)).toBe('public'),
);

test.each([
  ['this network', '0.0.0.0'],
  ['this network, any host', '0.1.2.3'],
  ['loopback', '127.0.0.1'],
  ['loopback, far end', '127.255.255.254'],
  ['private 10', '10.0.0.1'],
  ['private 172', '172.16.0.1'],
  ['private 172, far end', '172.31.255.255'],
  ['private 192', '192.168.0.1'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, metadata', '100.100.100.200'],
  ['protocol assignments, metadata', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarking', '198.18.0.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['a cloud’s host service', '168.63.129.16'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-compatible', '::7f00:1'],
  ['mapped', '::ffff:127.0.0.1'],
  ['mapped, of a public address', '::ffff:8.8.8.8'],
  ['mapped, hexadecimal', '::ffff:7f00:1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64, local use', '64:ff9b:1::1'],
  ['NAT64, local use, far end', '64:ff9b:2::1'],
  ['discard', '100::1'],
  ['dummy prefix', '100:0:0:1::1'],
  ['Teredo', '2001::1'],
  ['benchmarking', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['6to4 of a loopback', '2002:7f00:1::1'],
  ['6to4 of a public address', '2002:808:808::1'],
  ['6bone', '3ffe::1'],
  ['not given out', '4000::1'],
  ['not given out', '8000::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1'],
  ['unique local, metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%1'],
  ['public with a zone', '2606:4700:4700::1111%1'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['no address', 'example.com'],
  ['nothing', ''],
])('%s (%s) is not public', (_, address) => expect(classifyAddress(address)).not.toBe('public'));

test('an allow-list opens its networks and no other', () => {
  const isAllowed = createAllowList(['192.168.1.0/24', 'fd12:3456::/32']);
  expect(['192.168.1.1', '192.168.1.255', 'fd12:3456::1'].map(isAllowed)).toEqual([true, true, true]);
  expect(
    ['192.168.2.1', '::ffff:192.168.1.1', '10.0.0.1', 'fd12:3457::1', 'fd12:3456::1%1', 'n8n.lan'].map(
      isAllowed,
    ),
  ).not.toContain(true);
});

test('no allow-list opens addresses that lead to a cloud’s credentials', () => {
  const isAllowed = createAllowList(['0.0.0.0/0', '::/0']);
  const never = [
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '0.0.0.0',
    'fd00:ec2::254',
    'fd20:ce::254',
  ];
  expect([...never, 'fe80::1', '255.255.255.255', '168.63.129.16'].map(isAllowed)).not.toContain(true);
  expect(isAllowed('127.0.0.1')).toBe(true);
});

test('an address has only one spelling', () => {
  expect(canonicalAddress('::ffff:1.2.3.4')).toBe('1.2.3.4');
  expect(canonicalAddress('2606:4700:0:0::1111')).toBe(canonicalAddress('2606:4700::1111'));
});
