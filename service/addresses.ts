import { BlockList, isIPv6 } from 'node:net';

/**
 * IPv4 networks outside the public internet, from the registry of special-purpose addresses (RFC
 * 6890 and its successors).
 */
const privateV4: readonly [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * Reserved ranges within the public IPv6 network: protocol assignments and Teredo, documentation,
 * and addresses that embed an IPv4 address.
 */
const reservedV6: readonly [network: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [network, prefix] of privateV4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of reservedV6) refused.addSubnet(network, prefix, 'ipv6');

const unicastV6 = new BlockList();
unicastV6.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address belongs to the public internet rather than to this machine, its network or a
 * reserved range.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv6(address)) return unicastV6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
  return !refused.check(address, 'ipv4');
}
