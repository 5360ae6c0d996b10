import assert from 'node:assert/strict';
import test from 'node:test';
import { indicatorCatalogue } from '../../../engine/indicators/index.js';
import { signals } from '../../../engine/signals/index.js';
import { contract, sharedService } from '../../support/contract.js';

const noToken = { token: null };
const rising = Array.from({ length: 40 }, (_, i) => 100 + i);

contract('documents are listed, read and taken apart into sections without a credential', async ({ api }) => {
  const { body } = await api.call('Knowledge.ListDocuments', {}, noToken);
  assert.equal(body.total, body.documents.length);
  assert.ok(body.total > signals.length);
  const listed = body.documents.find(({ slug }: { slug: string }) => slug === 'payments');
  assert.deepEqual(Object.keys(listed).sort(), ['section_count', 'slug', 'summary', 'tags', 'title']);
  const { body: read } = await api.call('Knowledge.GetDocument', { slug: 'payments' }, noToken);
  assert.deepEqual([read.title, read.filename, read.tags], ['Payments of wallets', 'docs/payments.md', ['guide']]);
  assert.match(read.content, /^# Payments of wallets\n/);
  const [top] = read.sections;
  assert.deepEqual([top.anchor, top.level, top.parent_anchor], ['payments-of-wallets', 1, null]);
  assert.equal(top.children.length + 1, listed.section_count);
  assert.deepEqual([top.children[0].title, top.children[0].parent_anchor], ['A paid call', 'payments-of-wallets']);
  const { body: parts } = await api.call('Knowledge.ListSections', { slug: 'payments' }, noToken);
  assert.deepEqual(parts.sections, read.sections);
  for (const slug of ['__proto__', '../payments']) {
    assert.equal((await api.call('Knowledge.GetDocument', { slug })).code, 'RESOURCE_NOT_FOUND', slug);
    assert.equal((await api.call('Knowledge.ListSections', { slug })).code, 'RESOURCE_NOT_FOUND', slug);
  }
});

contract('a search finds pages, counts them twice and names tags and suggestions', async ({ api }) => {
  const { body } = await api.call('Knowledge.Search', { q: 'stop loss', limit: 3 }, noToken);
  assert.deepEqual([body.query, body.total, body.results.length], ['stop loss', body.total_results, 3]);
  const [first, second] = body.results;
  assert.ok(first.relevance_score >= second.relevance_score);
  const { body: named } = await api.call('Knowledge.Search', { q: 'sharpe_ratio' });
  assert.deepEqual([named.results[0].document_slug, named.results[0].match_type], ['metric-sharpe_ratio', 'exact']);
  const { body: tagged } = await api.call('Knowledge.Search', { q: 'stop', tags: 'setting,Run' });
  assert.ok(tagged.results.length > 0);
  assert.ok(tagged.results.every(({ tags }: { tags: string[] }) => tags.includes('setting') && tags.includes('run')));
  assert.deepEqual(tagged.tags_matched, ['setting', 'run']);
  const { body: plain } = await api.call('Knowledge.Search', { q: 'buy the dip', expand: false });
  const { body: expanded } = await api.call('Knowledge.Search', { q: 'buy the dip' });
  assert.ok(expanded.expanded_query.length > plain.expanded_query.length);
  const { suggestions } = (await api.call('Knowledge.Search', { q: 'sharp' })).body;
  assert.ok(suggestions.some((text: string) => text.includes('sharpe')));
  const { body: nothing } = await api.call('Knowledge.Search', { q: 'qqqqqqqqqqq' });
  assert.deepEqual([nothing.total, nothing.results], [0, []]);
});

contract('tags are counted and lead to their documents', async ({ api }) => {
  const { body } = await api.call('Knowledge.ListTags', {}, noToken);
  assert.equal(body.total, body.tags.length);
  const { count } = body.tags.find(({ name }: { name: string }) => name === 'signal');
  assert.equal(count, signals.length);
  const { body: signal } = await api.call('Knowledge.GetTag', { tag: 'Signal' });
  assert.deepEqual([signal.tag, signal.total, signal.documents.length], ['signal', count, count]);
  assert.equal((await api.call('Knowledge.GetTag', { tag: 'nothing' })).code, 'RESOURCE_NOT_FOUND');
});

contract('a word of the glossary is read in any case, with the links to it', async ({ api }) => {
  const { body } = await api.call('Knowledge.ListTerms', {}, noToken);
  assert.equal(body.total, body.entries.length);
  const { body: term } = await api.call('Knowledge.GetTerm', { term: 'cagr' });
  assert.deepEqual(
    [term.term, term.abbreviation, term.document_slug],
    ['Compound annual growth rate', 'CAGR', 'glossary'],
  );
  assert.deepEqual((await api.call('Knowledge.GetTerm', { term: 'compound annual Growth rate' })).body, term);
  const { body: filter } = await api.call('Knowledge.GetTerm', { term: 'FILTER' });
  assert.deepEqual([filter.abbreviation, filter.related_terms], [null, ['Trigger']]);
  assert.ok(filter.backlinks.some((link: Record<string, string>) => link.source_anchor === 'trigger'));
  assert.equal((await api.call('Knowledge.GetTerm', { term: 'nothing' })).code, 'RESOURCE_NOT_FOUND');
  const { body: links } = await api.call('Knowledge.ListBacklinks', { anchor: 'sharpe_ratio' }, noToken);
  assert.deepEqual([links.target_anchor, links.total], ['sharpe_ratio', links.backlinks.length]);
  assert.ok(links.backlinks.some((link: Record<string, string>) => link.source_document === 'glossary'));
  assert.deepEqual((await api.call('Knowledge.ListBacklinks', { anchor: 'nothing' })).body.backlinks, []);
});

contract('signals and indicators are listed by category and read by name', async ({ api }) => {
  const { body } = await api.call('Knowledge.ListSignals', { category: 'Volume', signal_type: 'trigger' }, noToken);
  assert.equal(body.total, body.signals.length);
  assert.ok(body.signals.every((signal: Record<string, string>) => signal.category === 'Volume'));
  const { body: signal } = await api.call('Knowledge.GetSignal', { name: 'rsi_oversold' }, noToken);
  assert.deepEqual(Object.keys(signal).sort(), [
    ...['category', 'description', 'name', 'params', 'requires', 'signal_type'],
  ]);
  assert.deepEqual([signal.category, signal.requires], ['Momentum', ['Close']]);
  const { body: all } = await api.call('Knowledge.ListIndicators', {}, noToken);
  assert.deepEqual([all.total, all.indicators.length], [Object.keys(indicatorCatalogue).length, all.total]);
  const { body: averages } = await api.call('Knowledge.ListIndicators', { category: 'average' });
  assert.ok(averages.total > 5 && averages.total < all.total);
  const { body: macd } = await api.call('Knowledge.GetIndicator', { name: 'macd' }, noToken);
  assert.deepEqual([macd.name, macd.outputs], ['MACD', ['macd', 'signal', 'histogram']]);
  assert.equal(macd.params.window_fast.default, 12);
  assert.equal((await api.call('Knowledge.GetSignal', { name: 'nothing' })).code, 'RESOURCE_NOT_FOUND');
  const misspelt = await api.call('Knowledge.GetIndicator', { name: 'makd' });
  assert.deepEqual([misspelt.code, /did you mean MACD/.test(misspelt.message ?? '')], ['RESOURCE_NOT_FOUND', true]);
});

contract('a signal is evaluated at the last of the bars, false with a reason for too few', async ({ api }) => {
  const ohlcv = rising.map((Close) => ({ Close }));
  const { body } = await api.call('Knowledge.Evaluate', { name: 'rsi_overbought', ohlcv }, noToken);
  assert.deepEqual([body.signal, body.result], ['rsi_overbought', true]);
  const { body: few } = await api.call('Knowledge.Evaluate', { name: 'rsi_overbought', ohlcv: ohlcv.slice(0, 3) });
  assert.deepEqual([few.result, /needs at least \d+ bars .*ohlcv has 3/.test(few.error)], [false, true]);
});

contract('an indicator is computed over the columns sent', async ({ api }) => {
  const request = { name: 'sma', data: { Close: [...rising.slice(0, 4), null, 7] }, params: { window: 2 } };
  const { body } = await api.call('Knowledge.Compute', request, noToken);
  assert.deepEqual(body, { indicator: 'SMA', result: { sma: [null, 100.5, 101.5, 102.5, null, null] } });
  const own = { name: 'EMA', data: { Score: [1, 2, 3] }, params: { window: 1, column: 'Score' } };
  assert.deepEqual((await api.call('Knowledge.Compute', own)).body.result, { ema: [1, 2, 3] });
});

test('refusals of the knowledge base have the message as detail too', async () => {
  const { origin } = await sharedService();
  const response = await fetch(`${origin}/kb/api/documents/nothing`);
  const body = (await response.json()) as Record<string, unknown>;
  assert.deepEqual([response.status, body.error, body.code], [404, 'not_found', 'RESOURCE_NOT_FOUND']);
  assert.equal(body.detail, body.message);
  const found = await fetch(`${origin}/kb/api/search?q=rsi&expand=false&limit=1`);
  assert.equal(((await found.json()) as { results: unknown[] }).results.length, 1);
});
