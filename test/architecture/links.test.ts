import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import test from 'node:test';
import { blocksOf, pages, textOf } from '../support/documents.js';
import { root } from '../support/tree.js';

/** Links between pages lead to files that exist, and to headings that these files have. */

const others = ['CONTRIBUTING.md', 'bench/README.md', 'sample/README.md'];

const withoutCode = (text: string): string =>
  text.replace(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, '').replace(/`[^`\n]*`/g, '');

/** The anchor that a forge makes of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchors = (page: string): readonly string[] =>
  [
    ...textOf(page)
      .replace(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, '')
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = '']) => anchorOf(heading));

function brokenIn(page: string): string[] {
  const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^(?:https?|mailto):/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchors(target).includes(anchor);
  });
}

for (const page of [...pages, ...others]) {
  test(`every link of ${page} leads somewhere`, () => {
    assert.deepEqual(brokenIn(page), []);
  });
}

/** Names that a page gives a meaning of its own. */
const otherMeanings: Readonly<Record<string, readonly string[]>> = { 'docs/portfolios.md': ['volatility_window'] };

test('a guide that names a setting links to its entry of the reference at least once', () => {
  const settings = [...textOf('docs/reference/settings.md').matchAll(/^## (\S+)$/gm)].map(([, name = '']) => name);
  assert.ok(settings.includes('trailing_distance') && settings.includes('BARLINE_HOME'));
  const guides = pages.filter((page) => /^(?:README|docs\/[^/]+)\.md$/.test(page));
  for (const guide of guides) {
    const text = textOf(guide).replace(/^ {0,3}```[\s\S]*?^ {0,3}```/gm, '');
    const unlinked = settings.filter(
      (name) =>
        new RegExp(`(?<!\\[)\`${name}\``).test(text) &&
        !text.includes(`settings.md#${anchorOf(name)}`) &&
        !otherMeanings[guide]?.includes(name),
    );
    assert.deepEqual(unlinked, [], guide);
  }
});

test('every page is in the index, or in a folder whose own index lists it', () => {
  const index = [...textOf('docs/README.md').matchAll(/\]\(([^)#\s]+)/g)].map(([, path = '']) =>
    normalize(join('docs', path)),
  );
  const top = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== 'docs/README.md');
  assert.deepEqual(
    top.filter((page) => !index.includes(page)),
    [],
  );
});

/** What a block may need that a test does not have, and how many blocks may need it. */
const needs = ['install', 'network', 'root', 'docker', 'hours'];
const MARKED_MAX = 16;

test('blocks that no test runs say why, and are few', () => {
  const marked = pages.flatMap(blocksOf).filter((block) => block.needs !== null);
  const unknown = marked.filter((block) => !needs.includes(block.needs ?? ''));
  assert.deepEqual(
    unknown.map(({ page, line, needs: what }) => `${page}:${line} needs ${what}`),
    [],
  );
  assert.ok(marked.length <= MARKED_MAX, marked.map(({ page, line }) => `${page}:${line}`).join(', '));
});
