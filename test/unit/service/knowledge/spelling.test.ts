import assert from 'node:assert/strict';
import test from 'node:test';
import { Spelling } from '../../../../service/knowledge/spelling.js';

const spelling = new Spelling([
  'stop',
  'loss',
  'drawdown',
  'request',
  'requests',
  'prometheus',
  'trail',
  'trial',
  'the',
]);
const corrected = (text: string) => spelling.correct(text.split(' ')).join(' ');

test('a known word stays as it is, and so does one that is like no other', () => {
  assert.equal(corrected('the trial stop'), 'the trial stop');
  assert.equal(corrected('webhook 2024x'), 'webhook 2024x');
});

test('a letter too many, too few, wrong or swapped with its neighbour is corrected', () => {
  for (const written of ['reqquest', 'reqest', 'rewuest', 'reqeust']) assert.equal(corrected(written), 'request');
  assert.equal(corrected('promethues'), 'prometheus');
});

test('two faults are corrected in words of eight letters or more, and none in words below five', () => {
  assert.equal(corrected('prmetheuss'), 'prometheus');
  assert.equal(corrected('rewwest'), 'rewwest');
  assert.equal(corrected('stpo'), 'stpo');
});

test('of several words the ones with the fewest faults stand for it', () => {
  assert.equal(corrected('requets'), 'request requests');
  assert.equal(corrected('requestss'), 'requests');
});

test('words that were written as one are parted, and split ones are also read as one', () => {
  assert.equal(corrected('stoploss'), 'stop loss');
  assert.equal(new Spelling(['draw', 'down', 'drawdown']).correct(['draw', 'down']).join(' '), 'draw drawdown down');
});
