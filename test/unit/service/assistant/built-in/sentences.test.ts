import assert from 'node:assert/strict';
import test from 'node:test';
import { languageOf } from '../../../../../service/assistant/built-in/canonical.js';
import { sentences } from '../../../../../service/assistant/built-in/sentences/say.js';
import { talk } from '../../../../support/assistant.js';
import { backtestDeps } from '../../../../support/backtest-deps.js';

const { en: english, ...others } = sentences;
const placesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name = '']) => name).sort();

test('every language has every sentence, with the places of the English one and words of its own', () => {
  for (const [language, table] of Object.entries(others)) {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(english).sort(), language);
    for (const [name, text] of Object.entries(table)) {
      const own = english[name as keyof typeof english];
      assert.deepEqual([...new Set(placesIn(text))], [...new Set(placesIn(own))], `${language} ${name}`);
      const isShort =
        own
          .replace(/\{[^}]*\}/g, '')
          .trim()
          .split(' ').length < 4;
      assert.ok(isShort || text !== own, `${language} ${name} is the English sentence`);
    }
  }
});

/** One conversation in each language; all mean the same. */
const conversations = {
  en: [
    'Buy BTC on daily bars when the EMA of 10 crosses above the EMA of 30, stop 4 %, from 2022-01-01 to 2023-12-31',
    ...['yes', 'yes', 'run it', 'what was the worst trade?', 'why did it lose money?', 'is it luck?'],
    ...['what was the drawdown?', 'what did the costs do?', 'which one is the best?', 'how many trades won?'],
  ],
  de: [
    'Kaufe BTC auf Tageskerzen, wenn die EMA 10 über die EMA 30 kreuzt, Stop 4 %, von 2022-01-01 bis 2023-12-31',
    ...['ja', 'ja', 'weiter', 'was war der schlechteste Trade?', 'warum hat es Geld verloren?', 'ist das Zufall?'],
    ...['wie groß war der Rückgang?', 'was haben die Kosten gemacht?', 'welcher ist der beste?', 'wie viele gewonnen?'],
  ],
  es: [
    'Compra BTC en velas diarias cuando la EMA de 10 cruce por encima de la EMA de 30, stop 4 %, desde 2022-01-01 hasta 2023-12-31',
    ...['sí', 'vale', 'adelante', '¿cuál fue la peor operación?', '¿por qué perdió dinero?', '¿es suerte?'],
    ...['¿cuál fue la caída máxima?', '¿qué hicieron los costes?', '¿cuál es el mejor?', '¿cuántas ganadoras?'],
  ],
  fr: [
    "Achète BTC en journalier quand l'EMA 10 croise au-dessus de l'EMA 30, stop 4 %, depuis 2022-01-01 jusqu'à 2023-12-31",
    ...['oui', "d'accord", 'vas-y', 'quel est le pire trade ?', "pourquoi perdu de l'argent ?", 'est-ce du hasard ?'],
    ...['quelle baisse maximale ?', 'quels frais ?', 'quel est le meilleur ?', 'combien de trades gagnants ?'],
  ],
} as const;

const figuresIn = (text: string): string[] =>
  (text.match(/-?\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) => digits.replace(/,$/, '')).sort();

test('the same conversation in four languages has the same figures, each in its language', async () => {
  const deps = await backtestDeps();
  const said = new Map<string, readonly string[]>();
  for (const [language, messages] of Object.entries(conversations)) {
    const { steps } = await talk(messages, deps, { userId: language });
    const answers = steps.map(({ content }) => content);
    said.set(language, answers);
    for (const answer of answers) assert.equal(languageOf(answer, 'en'), language, answer);
  }
  const expected = said.get('en')?.slice(0, 3).map(figuresIn);
  for (const [language, answers] of said) {
    assert.deepEqual(answers.slice(0, 3).map(figuresIn), expected, language);
    // The English verdict is that of a sweep, which rounds a Sharpe ratio and shares in its own way.
    for (const place of [4, 5, 7, 8, 9]) {
      assert.deepEqual(
        figuresIn(answers[place] ?? ''),
        figuresIn(said.get('en')?.[place] ?? ''),
        `${language} ${place}`,
      );
    }
  }
  assert.deepEqual(deps.internalErrors, []);
});
