import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { readDocuments } from '../../../../data/docs/index.js';
import { engineCodes } from '../../../../engine/errors.js';
import { executionFieldNames } from '../../../../engine/execution/index.js';
import { indicatorCatalogue } from '../../../../engine/indicators/index.js';
import { extendedMetricTable, metricNames } from '../../../../engine/metrics/index.js';
import { signals } from '../../../../engine/signals/index.js';
import { openKnowledge } from '../../../../server/open-knowledge.js';
import { apiCodes } from '../../../../service/api-error.js';
import { findLinks, flatten, parseSections } from '../../../../service/knowledge/markdown.js';
import { isEntry } from '../../../../service/knowledge/page.js';
import { listSettings } from '../../../../service/settings/config.js';
import type { HelpQuestion } from '../../../support/help-questions.js';
import { goldenPath, root } from '../../../support/tree.js';

const knowledge = openKnowledge(root);
const { pages, passages, terms, backlinks } = await knowledge.library();

const registered: Readonly<Record<string, readonly string[]>> = {
  signal: signals.map(({ name }) => name),
  indicator: Object.keys(indicatorCatalogue),
  metric: [...metricNames, ...Object.keys(extendedMetricTable)],
  setting: [...executionFieldNames, ...listSettings({}).map(({ name }) => name)],
  error: [...apiCodes, ...engineCodes, 'METHOD_NOT_ALLOWED'],
};
for (const [kind, names] of Object.entries(registered)) {
  test(`every ${kind} has a page with its name, a summary and a place in the repository`, () => {
    assert.ok(names.length > 10);
    for (const name of names) {
      const page = pages.get(`${kind}-${name.toLowerCase()}`);
      assert.ok(page !== undefined, `${kind} ${name}`);
      assert.match(page.content, new RegExp(`^# ${name}\n\n\\S`), name);
      assert.ok(page.summary.length > 5, name);
      const [file = '', anchor] = page.filename.split('#');
      const sections = flatten(parseSections(readFileSync(join(root, file), 'utf8')));
      assert.ok(
        sections.some((section) => section.anchor === anchor),
        page.filename,
      );
    }
  });
}

test('every link within the knowledge base leads to a page, and every anchor to a section', () => {
  let inside = 0;
  for (const { slug, content, filename } of pages.values()) {
    for (const { target } of findLinks(content)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [to = '', anchor] = target.split('#');
      const page = pages.get(to);
      if (page === undefined) {
        const file = resolve(root, dirname(filename.split('#')[0] ?? ''), to);
        assert.ok(existsSync(file), `${slug}: ${target}`);
        continue;
      }
      inside++;
      if (anchor === undefined) continue;
      assert.ok(
        flatten(page.sections).some((section) => section.anchor === anchor),
        `${slug}: ${target}`,
      );
    }
  }
  assert.ok(inside > 500, `${inside} links`);
});

test('words of the glossary have a definition, and related ones are words too', () => {
  assert.ok(terms.length > 50);
  const names = new Set(terms.map(({ term }) => term));
  assert.equal(names.size, terms.length);
  for (const { term, definition, related_terms } of terms) {
    assert.ok(definition.length > 20 && !/Also:|\]\(/.test(definition), `${term}: ${definition}`);
    for (const related of related_terms) assert.ok(names.has(related), `${term}: ${related}`);
  }
  for (const { target_document, target_anchor } of backlinks) {
    const page = pages.get(target_document);
    assert.ok(page !== undefined && flatten(page.sections).some(({ anchor }) => anchor === target_anchor));
  }
});

/**
 * docs/knowledge.md tells who wrote them, and what each has to do with the making of the search.
 */
for (const [file, missedMax] of [
  ['help-questions.json', 5],
  ['help-questions-other.json', 5],
  ['help-questions-third.json', 5],
  ['help-questions-fourth.json', 5],
  ['help-questions-held-out.json', 5],
  ['help-questions-held-out-second.json', 5],
] as const) {
  test(`questions of ${file} find a page that answers them among the first three`, async () => {
    const questions = JSON.parse(readFileSync(goldenPath(file), 'utf8')) as HelpQuestion[];
    assert.equal(questions.length, 100);
    const missed: string[] = [];
    for (const { question, expect } of questions) {
      for (const slug of expect) assert.ok(pages.has(slug), slug);
      const { results } = await knowledge.search({ q: question, limit: 3 });
      if (!results.some(({ document_slug }) => expect.includes(document_slug))) missed.push(question);
    }
    assert.ok(missed.length <= missedMax, missed.join('\n'));
  });
}

test('what users ask stands at sections that exist, and every registry has questions', async () => {
  const places = new Set(
    passages.map(({ page, section }) => (isEntry(page) ? page.filename : `${page.filename}#${section.anchor}`)),
  );
  for (const { path, asked } of await readDocuments(root)) {
    for (const [anchor, questions] of asked) {
      assert.ok(places.has(`${path}#${anchor}`), `${path}#${anchor}`);
      assert.ok(
        questions.every((question) => question !== ''),
        `${path}#${anchor}`,
      );
    }
  }
  for (const kind of Object.keys(registered)) {
    const answering = passages.filter(
      ({ page, questions }) => page.slug.startsWith(`${kind}-`) && questions.length > 0,
    );
    assert.ok(answering.length > 10, kind);
  }
});

test('misspelled, joined and split words find what is meant', async () => {
  const first = async (q: string) => (await knowledge.search({ q, limit: 1 })).results[0];
  for (const [question, slug] of [
    ['stohcastic oversold', 'signal-stoch_oversold'],
    ['gragh of the equity', 'glossary'],
    ['stoploss in percent', 'setting-fixed_stop_pct'],
    ['maximum draw down', 'metric-max_drawdown'],
  ] as const) {
    assert.equal((await first(question))?.document_slug, slug, question);
  }
  assert.equal((await first('suprtrend'))?.match_type, 'fuzzy');
  assert.equal((await first('supertrend line'))?.match_type, 'title');
});
