import assert from 'node:assert/strict';
import test from 'node:test';
import { countedAddress, isPublicAddress } from '../../../service/addresses.js';

/** Both registries of special-purpose addresses, each network by its first and its last address. */
const special: readonly [network: string, first: string, last: string][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['::1/128', '::1', '::1'],
  ['::/128', '::', '::'],
  ['::ffff:0:0/96', '::ffff:0:0', '::ffff:8.8.8.8'],
  ['64:ff9b::/96', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::/16', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::/48', '2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::/20', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

test('no address of a special-purpose network is public', () => {
  for (const [network, first, last] of special) {
    assert.deepEqual([first, last].filter(isPublicAddress), [], network);
  }
  assert.deepEqual(['', 'unknown', '1.2.3', '8.8.8.8:80', 'fe80::1%eth0'].filter(isPublicAddress), []);
});

test('the neighbours of these networks are public', () => {
  const v4 = ['1.1.1.1', '9.255.255.255', '100.63.255.255', '100.128.0.0', '172.15.0.1', '172.32.0.1', '192.0.1.0'];
  const more = ['192.31.195.255', '192.52.194.0', '192.88.98.255', '192.175.47.255', '192.175.49.0', '223.255.255.255'];
  const v6 = ['2001:200::', '2001:db7::1', '2003::', '2620:4f:7fff::1', '2620:4f:8001::', '2606:4700::1111', '3ffe::1'];
  assert.deepEqual(
    [...v4, ...more, ...v6].filter((address) => !isPublicAddress(address)),
    [],
  );
});

test('a host counts as one, however it writes its address and whichever of its network it takes', () => {
  const same: readonly [counted: string, addresses: readonly string[]][] = [
    ['8.8.4.4', ['8.8.4.4', '::ffff:8.8.4.4', '::ffff:808:404', '0:0:0:0:0:FFFF:8.8.4.4']],
    ['2001:db8:0:7::/64', ['2001:db8:0:7::1', '2001:DB8:0:7:ffff:ffff:ffff:ffff', '2001:db8::7:0:0:0:9%eth0']],
    ['0:0:0:0::/64', ['::', '::1']],
    ['1:2:3:4::/64', ['1:2:3:4:5:6:7:8', '1:2:3:4::']],
    ['fe80:0:0:0::/64', ['fe80::1%eth0', 'fe80::2']],
  ];
  for (const [counted, addresses] of same)
    assert.deepEqual(
      addresses.map(countedAddress),
      addresses.map(() => counted),
    );
  for (const text of ['', 'unknown', '8.8.4.4:80', '08.8.4.4', '[::1]', '1.2.3.4, 5.6.7.8', '::ffff:1.2.3.4.5', 'a%b'])
    assert.equal(countedAddress(text), null, text);
});
