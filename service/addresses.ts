import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Every IPv4 network of the registry of special-purpose addresses (RFC 6890 and its successors).
 * Some are reachable from everywhere, such as the sinks of AS112 and relays, but they lead to a
 * service of the local network, never to a receiver that somebody names.
 */
const specialV4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * The IPv6 networks of that registry within 2000::/3: protocol assignments and Teredo (all of
 * 2001::/23), documentation, addresses that embed an IPv4 address, and AS112. Everything outside
 * 2000::/3 is special too: the loopback, private and link-local networks, multicast, IPv4-mapped
 * and translated addresses (64:ff9b::/96, 64:ff9b:1::/48), the discard prefix (100::/64) and
 * segments (5f00::/16).
 */
const specialV6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of specialV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of specialV6) special.addSubnet(network, prefix, 'ipv6');

const unicastV6 = new BlockList();
unicastV6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address belongs to the public internet rather than to this machine, its network or a
 * special-purpose range. A text that is no address does not.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return unicastV6.check(address, 'ipv6') && !special.check(address, 'ipv6');
  return isIP(address) === 4 && !special.check(address, 'ipv4');
}

/**
 * The name under which the requests of an address are counted: an IPv4 address as it is, also where
 * IPv6 maps it, and an IPv6 address by its /64, because a host may choose the other half. Null for
 * a text that is no address.
 */
export function countedAddress(text: string): string | null {
  if (isIP(text) === 4) return text;
  const [address = ''] = text.split('%'); // the zone is a name on this machine
  if (!isIPv6(address)) return null;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(canonical);
  if (mapped !== null) return bytes(mapped.slice(1)).join('.');
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const all = [...groups, ...Array<string>(8 - groups.length - after.length).fill('0'), ...after];
  return `${all.slice(0, 4).join(':')}::/64`;
}

const bytes = (groups: readonly string[]): number[] =>
  groups.map((group) => Number.parseInt(group, 16)).flatMap((word) => [word >> 8, word & 255]);
