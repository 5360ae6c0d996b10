import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { after, before } from 'node:test';
import { readDocuments } from '../../../../data/docs/index.js';
import { SqlPassageStore, type State } from '../../../../data/state/index.js';
import { embed, type Passage, passagesOf, Retrieval } from '../../../../service/assistant/index.js';
import { openTestState } from '../../../support/state.js';
import { root } from '../../../support/tree.js';

let state: State;
before(async () => {
  state = await openTestState();
});
after(() => state.close());

const retrievalOver = (read: () => Promise<readonly Passage[]>) =>
  new Retrieval({ store: new SqlPassageStore(state.db), read, newId: randomUUID });

const passage = (title: string, text: string): Passage => ({ source: 'test', title, text });

test('a refresh clears and seeds again; every reader sees one seeding or the other', async () => {
  let read = [passage('Cats', 'A cat purrs when it is content.'), passage('Dogs', 'A dog barks at strangers.')];
  const one = retrievalOver(async () => read);
  const other = retrievalOver(async () => read);
  assert.equal(await one.refresh(), 2);
  assert.equal((await other.find('why do cats purr', 1))[0]?.title, 'Cats');
  read = [
    passage('Birds', 'A bird sings in the morning.'),
    passage('Fish', 'A fish is silent.'),
    passage('Owls', 'An owl hoots.'),
  ];
  const [count, ...seen] = await Promise.all([
    one.refresh(),
    ...Array.from({ length: 10 }, () => other.find('sings purrs', 5)),
  ]);
  assert.equal(count, 3);
  for (const found of seen) {
    const titles = found.map(({ title }) => title);
    assert.ok(!(titles.includes('Cats') && titles.includes('Birds')), titles.join());
  }
  assert.equal((await other.find('which bird sings', 1))[0]?.title, 'Birds');
  assert.deepEqual(await other.find('purrs', 5), []);
});

test('the documentation answers questions about its own words', async () => {
  const retrieval = retrievalOver(async () => passagesOf(await readDocuments(root)));
  assert.ok((await retrieval.refresh()) > 300);
  const questions: readonly (readonly [string, RegExp])[] = [
    ['what does ema_cross_up mean', /ema_cross_up/],
    ['what is the relative strength index', /Relative strength index/],
    ['how are webhooks signed', /docs\/webhooks\.md/],
    ['what is supertrend', /supertrend/i],
  ];
  for (const [question, expected] of questions) {
    const found = await retrieval.find(question, 3);
    assert.ok(
      found.some(({ source, title }) => expected.test(`${source} ${title}`)),
      question,
    );
  }
  assert.deepEqual(await retrieval.find('zzzz qqqq', 3), []);
});

test('vectors have unit length, depend on the words alone and find misspelled ones', () => {
  const same = () => 1;
  const one = embed(['deflated', 'sharpe', 'ratio'], same);
  assert.ok(Math.abs(one.reduce((sum, value) => sum + value * value, 0) - 1) < 1e-6);
  assert.deepEqual(one, embed(['ratio', 'deflated', 'sharpe'], same));
  const nearness = (words: string[]) => embed(words, same).reduce((sum, value, i) => sum + value * (one[i] ?? 0), 0);
  assert.ok(nearness(['deflatted', 'sharp', 'ratios']) > nearness(['webhook', 'secret', 'rotates']) + 0.2);
});
