import assert from 'node:assert/strict';
import test from 'node:test';
import type { Language } from '../../../../../service/assistant/built-in/canonical.js';
import { asked, definitionOf } from '../../../../../service/assistant/built-in/definitions/define.js';
import { english } from '../../../../../service/assistant/built-in/definitions/english.js';
import { french } from '../../../../../service/assistant/built-in/definitions/french.js';
import { german } from '../../../../../service/assistant/built-in/definitions/german.js';
import { spanish } from '../../../../../service/assistant/built-in/definitions/spanish.js';
import type { Term } from '../../../../../service/assistant/built-in/definitions/table.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';

const tables = { en: english, de: german, es: spanish, fr: french } as const;
const languages = Object.keys(tables) as Language[];
const nothing = { said: [], hasRun: false } as const;

const questions: Readonly<Record<Language, readonly ((word: string) => string)[]>> = {
  en: [(word) => `what is ${word}?`, (word) => `ok, what does ${word} mean`, (word) => `I don't know what ${word} is`],
  de: [(word) => `was ist ${word}?`, (word) => `Und was bedeutet ${word}`, (word) => `${word}, was ist das?`],
  es: [(word) => `¿qué es ${word}?`, (word) => `hola, qué significa ${word}`, (word) => `no sé qué es ${word}`],
  fr: [(word) => `c'est quoi ${word} ?`, (word) => `que veut dire ${word}`, (word) => `${word}, c'est quoi ?`],
};

test('every word of every language is found by every form of the question', () => {
  for (const language of languages) {
    for (const [term, { called }] of Object.entries(tables[language])) {
      for (const word of called.split('|')) {
        for (const question of questions[language]) {
          const found = asked(question(word), { ...nothing, language });
          // A word of two things, such as "sma", has the definition of one of them.
          assert.ok(found !== null, `${language} ${question(word)}`);
          assert.equal(found.rest, '', question(word));
          assert.equal(found.language, language, question(word));
          if (word === called.split('|')[0]) assert.deepEqual(found.terms, [term], question(word));
        }
      }
    }
  }
});

test('a question about two words has both, and typing errors do not hide them', () => {
  const termsOf = (text: string) => asked(text, { ...nothing, language: 'en' })?.terms;
  assert.deepEqual(termsOf("what's the difference between a stop and a target?"), ['stop', 'target']);
  assert.deepEqual(termsOf('whats slipage'), ['slippage']);
  assert.deepEqual(termsOf('explain overfiting please'), ['overfitting']);
});

test('a wish, a question about the runs and an unknown word are no questions about a word', () => {
  const others = ['stop 3 %', 'what is the worst trade?', 'what is a frobnicator?', 'momentum?', 'use a trailing stop'];
  for (const text of [...others, 'sell when RSI is above 70', 'what if the stop was 2 %?', 'no fees'])
    assert.equal(asked(text, { ...nothing, language: 'en' }), null, text);
});

test('a word alone goes on with the question before', () => {
  const before = { language: 'en', said: ['what is a stop?', 'and a target?'], hasRun: true } as const;
  assert.deepEqual(asked('and a candle?', before)?.terms, ['candle']);
  assert.equal(asked('and the drawdown?', { ...before, said: ['yes'] }), null);
});

const OPENING = 'Buy ETH daily when RSI(14) crosses above 40, sell when it crosses below 60, 2022 to 2024';
const asking: readonly (readonly [string, Language, Term])[] = [
  ['what is leverage?', 'en', 'leverage'],
  ['was ist ein Stop-Loss?', 'de', 'stop'],
  ['¿qué es un filtro?', 'es', 'filter'],
  ["c'est quoi le drawdown ?", 'fr', 'drawdown'],
];

test('in every state a definition is the answer in the language of the question, and nothing changes', async () => {
  const deps = await backtestDeps();
  for (const before of [0, 1, 2, 3, 4]) {
    for (const [question, language, term] of asking) {
      const messages = [...[OPENING, 'yes', 'yes', 'yes'].slice(0, before), question];
      const { last, steps, tools } = await talk(messages, deps, { userId: `${before} ${language}` });
      const was = steps.at(-2);
      assert.ok(last.content.includes(definitionOf(term, language)), `${question}: ${last.content}`);
      assert.equal(last.mode, was?.mode ?? 'collect_user_input', question);
      assert.equal(tools.at(-1)?.calls.run_backtest ?? 0, 0, question);
      if (was === undefined) continue;
      assert.deepEqual({ ...last.working.collected, language: 'en' }, was.working.collected, question);
      assert.deepEqual(last.working.tested, was.working.tested, question);
    }
  }
});
