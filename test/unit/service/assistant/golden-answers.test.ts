import assert from 'node:assert/strict';
import test from 'node:test';
import { problemsOf } from '../../../../service/assistant/language-model/check-answer.js';
import { goldenAnswers, goldenEvidence } from './golden-answers.js';

const evidence = goldenEvidence();
const { honest, dishonest } = goldenAnswers;

test('answers by hand that are true pass the check', () => {
  const refused = honest.flatMap((text, i) => {
    const problems = problemsOf(text, evidence);
    return problems.length === 0 ? [] : [`${i} ${text}\n  ${problems.join('\n  ')}`];
  });
  assert.deepEqual(refused, [], `${refused.length} of ${honest.length} refused:\n${refused.join('\n')}`);
});

test('answers by hand with an invented name or the figure of another run or metric are refused', () => {
  const missed = dishonest.flatMap(([, text], i) => (problemsOf(text, evidence).length === 0 ? `${i} ${text}` : []));
  assert.deepEqual(missed, [], `${missed.length} of ${dishonest.length} missed:\n${missed.join('\n')}`);
});
