import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { DefiPort, DefiProPort } from '../../../../../data/upstreams/defi/index.js';

const sumOf = (byChain: Readonly<Record<string, number>>): number => Object.values(byChain).reduce((a, b) => a + b, 0);

function assertNear(actual: number, expected: number, name = ''): void {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected), `${name} ${actual} is not ${expected}`);
}

const assertDescending = (values: readonly number[]): void => {
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  );
};

const unknownNames = ['no such thing', '', '..', '__proto__', 'constructor'];

/** What every source of value locked must do. All know Aave, on several chains, and Ethereum. */
export function defiPortContract(name: string, open: (t: TestContext) => Promise<{ port: DefiPort; source: string }>) {
  const check = (statement: string, act: (port: DefiPort, source: string) => Promise<void>) =>
    test(`${name}: ${statement}`, async (t) => {
      const { port, source } = await open(t);
      await act(port, source);
    });

  check('the value of a protocol is the sum of its chains', async (port, source) => {
    const found = await port.protocol('aave');
    assert.equal(found.source, source);
    assert.ok(found.value !== null);
    assert.deepEqual([found.value.slug, found.value.name, found.value.category], ['aave', 'Aave', 'Lending']);
    assert.ok(Object.keys(found.value.chains).length > 1);
    assertNear(sumOf(found.value.chains), found.value.tvlUsd);
  });

  check('a protocol is found by slug and by name, in any case', async (port) => {
    const { value } = await port.protocol('aave');
    for (const spelling of ['AAVE', 'Aave', ' aave']) assert.deepEqual((await port.protocol(spelling)).value, value);
  });

  check('a chain has its ten largest protocols, the largest first', async (port, source) => {
    const found = await port.chain('ethereum');
    assert.equal(found.source, source);
    assert.ok(found.value !== null);
    assert.equal(found.value.name, 'Ethereum');
    const { topProtocols } = found.value;
    assert.equal(topProtocols.length, 10);
    assertDescending(topProtocols.map(({ tvlUsd }) => tvlUsd));
    const aave = topProtocols.find(({ slug }) => slug === 'aave');
    assert.equal(aave?.tvlUsd, (await port.protocol('aave')).value?.chains.Ethereum, 'its value on this chain');
    assert.ok(topProtocols.every(({ tvlUsd, category }) => tvlUsd > 0 && category !== 'CEX'));
  });

  check('a chain is found in any spelling', async (port) => {
    const { value } = await port.chain('Ethereum');
    for (const spelling of ['ETHEREUM', 'eThErEuM']) assert.deepEqual((await port.chain(spelling)).value, value);
    for (const spelling of ['OP Mainnet', 'op-mainnet', 'optimism']) {
      assert.equal((await port.chain(spelling)).value?.name, 'OP Mainnet', spelling);
    }
  });

  check('unknown protocols and chains are null', async (port) => {
    for (const unknown of unknownNames) {
      assert.equal((await port.protocol(unknown)).value, null, unknown);
      assert.equal((await port.chain(unknown)).value, null, unknown);
    }
  });

  check('the supply of stablecoins is the sum over chains and the sum over coins', async (port, source) => {
    const found = await port.stablecoins();
    assert.equal(found.source, source);
    const { totalUsd, byChain, coins } = found.value;
    assert.ok(totalUsd > 0 && coins.length > 1);
    assertNear(sumOf(byChain), totalUsd, 'chains');
    assertNear(
      coins.reduce((sum, { supplyUsd }) => sum + supplyUsd, 0),
      totalUsd,
      'coins',
    );
    assertDescending(coins.map(({ supplyUsd }) => supplyUsd));
  });
}

interface ProWorld {
  readonly port: DefiProPort;
  readonly nowMs: number;
  readonly source: string;
}

/** What every source of the paid reads must do. */
export function defiProPortContract(name: string, open: (t: TestContext) => Promise<ProWorld>): void {
  const check = (statement: string, act: (world: ProWorld) => Promise<void>) =>
    test(`${name}: ${statement}`, async (t) => act(await open(t)));

  check('unlocks lie ahead, in order, and the supply stays below the maximum', async ({ port, nowMs, source }) => {
    const found = await port.tokenUnlocks();
    assert.equal(found.source, source);
    assert.ok(found.value.some(({ events }) => events.length > 1));
    for (const { token, circulating, max, events } of found.value) {
      assert.ok(circulating > 0 && (max === null || circulating < max), token);
      const unlocked = events.reduce((sum, { amount }) => sum + amount, circulating);
      assert.ok(max === null || unlocked <= max, token);
      assert.ok(events.every(({ timeMs }, i) => timeMs > (events[i - 1]?.timeMs ?? nowMs) || i > 0));
      const times = events.map(({ timeMs }) => timeMs);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
      );
    }
  });

  check('funding has a rate of eight hours for each market', async ({ port, source }) => {
    const found = await port.perpFunding();
    assert.equal(found.source, source);
    assert.ok(found.value.length > 0);
    for (const { pool, venue, symbol, rate8h, openInterestUsd } of found.value) {
      assert.ok(Math.abs(rate8h) < 0.01 && openInterestUsd > 0, pool);
      assert.ok(pool !== '' && venue !== '' && symbol === symbol.toUpperCase());
    }
  });

  check('a treasury is at least its own tokens and stablecoins, the largest first', async ({ port, source }) => {
    const found = await port.treasuries();
    assert.equal(found.source, source);
    assert.ok(found.value.length > 1);
    assertDescending(found.value.map(({ totalUsd }) => totalUsd));
    for (const { name: of, totalUsd, ownTokensUsd, stablecoinsUsd } of found.value) {
      assert.ok(totalUsd >= ownTokensUsd + stablecoinsUsd, of);
    }
  });

  check(
    'flows of funds are by day and ticker, the newest first, none in the future',
    async ({ port, nowMs, source }) => {
      const found = await port.etfFlows();
      assert.equal(found.source, source);
      assert.ok(found.value.length > 1);
      assertDescending(found.value.map(({ dayMs }) => dayMs));
      const keys = found.value.map(({ dayMs, ticker }) => `${dayMs} ${ticker}`);
      assert.equal(new Set(keys).size, keys.length);
      for (const { dayMs, asset } of found.value) {
        assert.ok(dayMs % 86_400_000 === 0 && dayMs <= nowMs);
        assert.ok(asset === 'BTC' || asset === 'ETH');
      }
    },
  );

  check('lending costs more than it pays, in fractions', async ({ port, source }) => {
    const found = await port.lendingRates();
    assert.equal(found.source, source);
    assert.ok(found.value.length > 0);
    for (const { pool, supplyApy, borrowApy, totalBorrowUsd } of found.value) {
      assert.ok(supplyApy > 0 && borrowApy > supplyApy && borrowApy < 1 && totalBorrowUsd > 0, pool);
    }
  });
}
