import assert from 'node:assert/strict';
import test from 'node:test';
import { clip, clipMarked, visible } from '../../../engine/text.js';

test('a cut never leaves half of a pair', () => {
  const text = `a${'\ud83d\ude80'.repeat(40)}`;
  for (let length = 1; length <= text.length + 1; length++) {
    const cut = clip(text, length);
    assert.ok(cut.isWellFormed() && text.startsWith(cut), String(length));
    assert.ok(cut.length <= length && cut.length >= Math.min(text.length, length) - 1, String(length));
    assert.ok(clipMarked(text, length + 3).isWellFormed(), String(length));
  }
  assert.equal(clip('abc', 2), 'ab');
  assert.equal(clip('abc', 0), '');
  assert.equal(clipMarked('abcdef', 5), 'ab...');
  assert.equal(clipMarked('abcde', 5), 'abcde');
});

test('what a terminal would obey is shown, and other text stays', () => {
  assert.equal(visible('\u001b[2Ja\u0007'), '\\u001b[2Ja\\u0007');
  const marks = [
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u2028',
    '\ufeff',
    '\ud800',
    '\n',
  ];
  for (const mark of marks) {
    assert.equal(visible(`a${mark}b`), `a\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}b`);
  }
  const sound = '\u05e9\u05dc\u05d5\u05dd \ud83d\ude80 \u00e9 1.5 %';
  assert.equal(visible(sound), sound);
});
