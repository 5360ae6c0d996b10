import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { HOUR_MS } from '../../../../engine/series/index.js';
import { readDeployedFile } from '../../../../service/deployed/capability.js';
import { type DeployedDefinition, deployedAssets, readDeployedSet } from '../../../../service/deployed/definition.js';
import { findStart } from '../../../../service/deployed/next-bar.js';
import { bundledMarket, deployedFile, livelySet, livelyStrategy } from '../../../support/deployed.js';
import { root } from '../../../support/tree.js';

const persona = { id: 'ada', name: 'Ada', strategies: [livelyStrategy] };
const withPersona = (changes: object) => ({ personas: [{ ...persona, ...changes }] });
const withStrategy = (changes: object) => withPersona({ strategies: [{ ...livelyStrategy, ...changes }] });

test('a file names personas and their strategies, in its order', () => {
  const { personas, strategies } = readDeployedSet(livelySet);
  assert.deepEqual(personas, [
    { id: 'ada', name: 'Ada', avatar: null, description: 'Two at once', strategyIds: ['lively', 'ether'] },
    { id: 'bob', name: 'Bob', avatar: null, description: null, strategyIds: ['slow'] },
  ]);
  assert.deepEqual([...strategies.keys()], ['lively', 'ether', 'slow']);
  const ether = strategies.get('ether') as DeployedDefinition;
  assert.deepEqual(
    [ether?.asset, ether?.baseAsset, ether?.timeframe, ether?.status],
    ['ETH-USD', 'ETH', '1h', 'active'],
  );
  assert.equal(ether?.config.reward_factor, 1.5);
  assert.equal(strategies.get('slow')?.intervalMs, 4 * HOUR_MS);
});

test('the hash covers what trades depend on, and nothing else', () => {
  const hashOf = (changes: object) => [...readDeployedSet(withStrategy(changes)).strategies.values()][0]?.hash;
  const own = hashOf({});
  for (const same of [{ id: 'other' }, { name: 'Other' }, { status: 'paused' }, { asset: 'btc-usdt' }]) {
    assert.equal(hashOf(same), own, JSON.stringify(same));
  }
  for (const other of [
    { asset: 'ETH' },
    { timeframe: '4h' },
    { exit: [] },
    { reward_factor: 2 },
    { execution_config: {} },
  ]) {
    assert.notEqual(hashOf(other), own, JSON.stringify(other));
  }
});

const [trigger] = livelyStrategy.entry;
const refused: readonly (readonly [json: unknown, message: RegExp])[] = [
  [{ personas: [persona, persona] }, /^personas\[1\]\.id must be unique, ada is taken$/],
  [withPersona({ id: 'Ada!' }), /^personas\[0\]\.id must be 1\.\.64 lower-case letters, digits, dashes/],
  [
    withPersona({ strategies: Array(4).fill(livelyStrategy) }),
    /strategies must be an array of 1\.\.3 items, was "4 items"$/,
  ],
  [withStrategy({ id: 'stream' }), /\.id must be an id other than strategies and stream, was "stream"$/],
  [withStrategy({ timeframe: '2h' }), /\.timeframe must be one of 5m, 15m, 30m, 1h, 4h, 1d, was "2h"$/],
  [withStrategy({ entry: [{ ...trigger, name: 'rsi_cros_up' }] }), /entry: unknown signal "rsi_cros_up", did you mean/],
  [withStrategy({ exit: [{ ...trigger, timeframe: '15m' }] }), /exit: timeframe 15m is finer than the interval 1h$/],
  [withStrategy({ execution_config: { fee_pct: 2 } }), /strategies\[0\]: fee_pct must be/],
];

test('a wrong file is refused with the place, the bound and the value', () => {
  for (const [json, message] of refused) assert.throws(() => readDeployedSet(json), { name: 'EngineError', message });
});

test('a file that cannot be read is refused with its path', async () => {
  const refusal = { code: 'INVALID_FIELD', message: /^deployed strategies \S+README\.md: not JSON/ };
  await assert.rejects(readDeployedFile(join(root, 'README.md')), refusal);
  assert.equal((await readDeployedFile(deployedFile())).strategies.size, 3);
});

test('every bundled strategy has bars for its replay', async () => {
  const { strategies } = readDeployedSet(JSON.parse(readFileSync(join(root, 'sample/deployed.json'), 'utf8')));
  const market = bundledMarket();
  assert.ok(strategies.size >= 5);
  for (const deployed of strategies.values()) {
    const start = await findStart(deployed, market, { msPerHour: 1, days: 90 });
    for (const asset of deployedAssets(deployed)) {
      const bars = await market.bars(asset, deployed.intervalMs, start);
      assert.ok(bars.barCount >= 89 * Math.floor((24 * HOUR_MS) / deployed.intervalMs), deployed.id);
    }
  }
});
