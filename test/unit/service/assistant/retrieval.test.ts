import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { before } from 'node:test';
import { sql } from 'kysely';
import { dumpState } from '../../../../data/state/index.js';
import { ModelServer } from '../../../../data/upstreams/model/index.js';
import { openKnowledge } from '../../../../server/open-knowledge.js';
import { type Embedder, HashedWords, ModelVectors } from '../../../../service/assistant/embed.js';
import { type Passage, Retrieval } from '../../../../service/assistant/retrieval.js';
import { VectorIndex } from '../../../../service/assistant/vector-index.js';
import type { State } from '../../../../service/state/index.js';
import type { HelpQuestion } from '../../../support/help-questions.js';
import { startModelServer } from '../../../support/model-server.js';
import { sharedState } from '../../../support/shared-state.js';
import { goldenPath, root } from '../../../support/tree.js';

const knowledge = openKnowledge(root);
let state: State;
before(async () => {
  state = await sharedState();
});

const errors: unknown[] = [];
const retrievalWith = (makeEmbedder: (corpus: readonly string[]) => Embedder) =>
  new Retrieval({
    knowledge,
    vectors: new VectorIndex(state.db),
    makeEmbedder,
    onInternalError: (error) => errors.push(error),
  });
const local = (corpus: readonly string[]): Embedder => new HashedWords(corpus);

const textOf = ({ source, title }: Passage): string => `${source} ${title}`;

test('the passages are those of the knowledge base, and a refresh tells their number', async () => {
  const retrieval = retrievalWith(local);
  const { passages } = await knowledge.library();
  assert.equal(await retrieval.refresh(), passages.filter(({ text }) => text !== '').length);
  const { rows } = await sql<{ name: string }>`select extname as name from pg_extension`.execute(state.db);
  assert.ok(
    rows.some(({ name }) => name === 'vector'),
    'the embedded store ranks with pgvector',
  );
  const dump = dumpState(state.db);
  const head = await dump.next();
  await dump.return(null); // it holds the one connection until then
  const { tables } = JSON.parse(String(head.value)) as { tables: string[] };
  assert.deepEqual(
    tables.filter((name) => name.startsWith('passage')),
    ['passage_seedings', 'passage_vectors'],
    'a backup has nothing that needs pgvector',
  );
  for (const { text } of await retrieval.find('how are fees charged', 20)) {
    assert.ok(text.length > 0 && text.length <= 1_200 && !/\]\(|```/.test(text), text);
  }
});

test('questions in the words of users find an answer as often as by the search', async () => {
  const questions = JSON.parse(readFileSync(goldenPath('help-questions.json'), 'utf8')) as HelpQuestion[];
  const { pages } = await knowledge.library();
  const retrieval = retrievalWith(local);
  const missed: string[] = [];
  for (const { question, expect } of questions) {
    const sources = new Set(expect.map((slug) => pages.get(slug)?.filename));
    const found = await retrieval.find(question, 3);
    if (!found.some(({ source }) => sources.has(source))) missed.push(question);
  }
  assert.ok(missed.length <= 6, missed.join('\n'));
});

test('vectors of a model server rank too; while it is away the search answers alone', async (t) => {
  const server = await startModelServer(t, () => ({ say: '' }));
  const options = { baseUrl: server.url, model: 'm', vectorModel: 'v', key: undefined, deadlineMs: 30_000 };
  const { vectors } = new ModelServer({ ...options, limits: { retriesMax: 0 } });
  assert.ok(vectors !== null);
  const retrieval = retrievalWith(() => new ModelVectors(vectors));
  const asked = 'verify the signature of a webhook';
  assert.ok((await retrieval.find(asked, 3)).some((found) => /webhooks/.test(textOf(found))));
  assert.ok(server.requests.length > 2, 'every passage was sent once');
  const before = server.requests.length;
  await retrieval.find(asked, 3);
  assert.equal(server.requests.length, before + 1);
  server.faults.push('server error');
  assert.ok((await retrieval.find(asked, 3)).some((found) => /webhooks/.test(textOf(found))));
  assert.deepEqual(errors, []);
});

test('a word is defined by its entry of the glossary, by its other words too, and nothing is made up', async () => {
  const retrieval = retrievalWith(local);
  for (const [term, title] of [
    ['bar', 'Bar'],
    ['candles', 'Bar'],
    ['Look-ahead', 'Look-ahead'],
    ['lookahead bias', 'Look-ahead'],
  ] as const) {
    const found = await retrieval.define(term);
    assert.deepEqual([found?.source, found?.title], ['docs/glossary.md', title], term);
  }
  assert.equal(await retrieval.define('the meaning of life'), null);
});
