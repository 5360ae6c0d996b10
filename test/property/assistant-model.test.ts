import assert from 'node:assert/strict';
import test from 'node:test';
import type { ChatModel } from '../../data/upstreams/model/index.js';
import { apiTimeframes } from '../../engine/series/index.js';
import { ModelReader } from '../../service/assistant/model/model-reader.js';
import type { World } from '../../service/assistant/plan/apply.js';
import { type Change, emptyPlan, makeChange, settingNames } from '../../service/assistant/plan/plan.js';
import { readMessage } from '../../service/assistant/reading/read.js';
import { freshWorking } from '../../service/assistant/working.js';
import { nothingRead } from '../support/model-server.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** A model that reads at random: whatever it says, no number acts that the message does not name. */

const world: World = { held: ['BTC', 'ETH', 'SOL'], names: new Map([['BTC', ['bitcoin']]]) };

const messages = [
  'buy when rsi is low on BTC, be careful with the risk',
  'nothing risky please, 2 trades a day',
  'not on ETH, and not before 2021',
  'kaufe Bitcoin wenn der RSI unter 30 fällt, Stop 3 %',
  'make it less risky',
  'stop 3 %, target 6 %',
  'what would 1000 have become?',
  'half of the stop, twice the target',
  'BTC 4h, buy when rsi(14) < 30, stop 2 %, from 2021 to 2023',
];

test('a model that reads at random sets no number that the message does not name, unless the answer asks', async () => {
  const random = seededRandom(3);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = (): number => pick([1, 2, 3, 5, 14, 30, 70, 0.02, 0.03, 0.5, 200, 1_000]);
  const maybe = <T>(value: () => T): T | null => (random() < 0.3 ? value() : null);
  const changeAtRandom = (): Change =>
    makeChange({
      assets: maybe(() => [pick(world.held)]),
      interval: maybe(() => pick(apiTimeframes)),
      start: maybe(() => pick(['2020-01-01', '2021-01-01', '2022-06-15'])),
      last_months: null,
      candidates: maybe(() => pick([1, 2, 3])),
      settings: random() < 0.5 ? [] : [{ name: pick(settingNames), value: number() }],
      trail: maybe(() => ({ share: number() / 100, from: null })),
      rules:
        random() < 0.5
          ? []
          : [
              {
                edit: 'set',
                role: pick(['entry', 'exit'] as const),
                rules: [
                  {
                    signal: 'formula',
                    params: [{ name: 'when', value: `rsi(close, ${pick([7, 14, 21])}) < ${pick([20, 30, 40])}` }],
                  },
                ],
              },
            ],
    });
  const model: ChatModel = {
    model: 'random',
    complete: async () => ({
      content: JSON.stringify({ ...nothingRead, change: changeAtRandom() }),
      isCut: false,
      tokens: null,
    }),
  };
  const reader = new ModelReader({
    ...{ model, prompt: async () => 'Read.' },
    limits: { answerMs: 10_000, replyTokensMax: 1_000, conversationTokensMax: 1e9 },
  });
  const tools = { takeTokens: async () => true, settleTokens: async () => {}, findSignals: () => [] } as never;
  let acted = 0;
  let asked = 0;
  const { signal } = new AbortController();
  const readings = messages.map((message) => ({ message, small: readMessage(message, emptyPlan, world) }));
  for (let i = 0; i < runs(150, 10_000); i++) {
    const { message, small } = pick(readings);
    const turn = { mode: 'done', working: freshWorking, message, history: [], signal } as const;
    const parsed = await reader.read({ turn, plan: emptyPlan, world, small, tools });
    if (parsed.question !== null) asked += 1;
    const named = new Set(
      [...message.matchAll(/\d+(?:\.\d+)?/g)].flatMap(([digits]) => [Number(digits), Number(digits) / 100]),
    );
    const set = JSON.stringify([
      parsed.change.settings,
      parsed.change.rules,
      parsed.change.trail,
      parsed.change.candidates,
    ]);
    const read = JSON.stringify(small.change);
    if (JSON.stringify(parsed.change) !== JSON.stringify(makeChange({}))) acted += 1;
    for (const [digits] of set.matchAll(/\d+(?:\.\d+)?/g)) {
      const value = Number(digits);
      const isNamed = named.has(value) || read.includes(digits) || value === 0;
      assert.ok(isNamed, `"${message}" set ${digits}: ${set}`);
    }
  }
  assert.ok(acted > 0 && asked > 0, `${acted} acted, ${asked} asked`);
});
