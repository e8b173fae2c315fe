import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

const range = (cidr: string): Range => ipaddr.parseCIDR(cidr);

/** The only globally routed part of IPv6. Everything else, including embedded IPv4 addresses, is refused. */
const GLOBAL_IPV6 = range('2000::/3');

/** Public by number, but not by use: a cloud's internal service, a former test network. */
const NOT_PUBLIC = ['168.63.129.16/32', '3ffe::/16'].map(range);

/**
 * Never allowed, even by the allow-list: they lead to a cloud's credentials, to this host under another name, or to
 * many hosts.
 */
const NEVER_ALLOWED = [
  '0.0.0.0/8',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/3',
  '::/128',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  'fe80::/10',
  'ff00::/8',
].map(range);

/** `public`, or the kind of address that this is. */
export function classifyAddress(text: string): string {
  if (isIP(text) === 0) return 'unparseable';
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv6') {
    if ((address as ipaddr.IPv6).zoneId) return 'zoned';
    if (!isIn(address, GLOBAL_IPV6)) return 'non-global';
  }
  const kind = address.range();
  if (kind !== 'unicast') return kind;
  return NOT_PUBLIC.some((each) => isIn(address, each)) ? 'reserved' : 'public';
}

/** Whether an address that is not public may be reached anyway. */
export function createAllowList(cidrs: readonly string[]): (address: string) => boolean {
  const ranges = cidrs.map(range);
  return (text) => {
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = ipaddr.parse(text);
    if (NEVER_ALLOWED.some((each) => isIn(address, each))) return false;
    return ranges.some((each) => isIn(address, each));
  };
}

/** A canonical spelling, so that addresses can be compared. */
export function canonicalAddress(text: string): string {
  return isIP(text) === 0 ? text : ipaddr.process(text).toString();
}

function isIn(address: Address, [network, bits]: Range): boolean {
  return network.kind() === address.kind() && address.match([network, bits]);
}
