import assert from 'node:assert/strict';
import test from 'node:test';
import { withFineBars } from '../../../support/assistant.js';
import { soak } from '../../../support/scale.js';
import { check } from './conversations.js';

/** Outside of a soak each set is tried at every third of its conversations. */
const each = soak ? 1 : 3;
const withFine = async () => ({ each, held: await withFineBars() });

/**
 * Sets of conversations by their files, with how many were wholly right when they were run for the
 * first time. The grammar was mended for each of them since.
 */
const sets = [
  'seen', // written with the grammar
  'second-held-out', // 8 of 30, 17 but for the language of the answers
  'third-held-out', // 2 of 20
  'fourth-held-out', // 9 of 20
  'fifth-held-out', // 11 of 20
  'sixth', // 4 of 20
  'seventh-held-out', // 9 of 20, when the sixth was wholly right
  'sides', // 5 of 10; about shorts, leverage and moving stops
];

for (const name of sets) {
  test(`conversations of the set ${name} are wholly right`, async () => {
    const { right, all, failed } = await check(name, { each });
    assert.equal(right, all, failed.join('\n'));
  });
}

/**
 * Written by strangers, who knew the catalogue of signals and the language of formulas alone. Of the
 * eighth set the rules of three first messages were changed: they ask for bars of 1 and 2 minutes,
 * which the service does not have, and such a wish is refused with the whole message.
 */
const strangers = [
  'eighth', // 5 of 30
  'ninth', // 1 of 30
  'tenth', // 11 of 20, sealed until the eighth and ninth were wholly right
  'fourteenth', // 13 of 20, after corrections and questions of the author's own were mended; as people chat on a phone
  'thirteenth', // 16 of 20, sealed until the fourteenth was wholly right
  'fifteenth', // 8 of 10, seen when the thirteenth was wholly right
  'twelfth', // 15 of 20, seen when the fifteenth was wholly right
  'eleventh', // 10 of 20, sealed until the tenth was wholly right
  'sixteenth', // 9 of 20, 10 but for a form of the CCI
  'seventeenth', // 4 of 20, 5 but for a form of the CCI
];

for (const name of strangers) {
  test(`conversations of strangers, the ${name} set, are wholly right`, async () => {
    const { right, all, failed } = await check(name, await withFine());
    assert.equal(right, all, failed.join('\n'));
  });
}

/**
 * Sets with conversations that still fail, by their ids. `held-out` was looked at once, when the
 * first grammar was done. The eighteenth is by a stranger and was sealed until the seventeenth was wholly right: 13
 * of 20 at first, 14 but for years without bars of its asset.
 */
const unfinished = [
  { name: 'held-out', wrong: ['h-de-macd', 'h-es-tendencia'] },
  { name: 'eighteenth', wrong: ['y15', 'y17'] },
];

for (const { name, wrong } of unfinished) {
  test(`conversations of the set ${name} are wholly right, but for ${wrong.length}`, async () => {
    const { failed } = await check(name, await withFine());
    const isKnown = (text: string): boolean => wrong.some((id) => text.startsWith(`${id}: `));
    assert.deepEqual(
      failed.filter((text) => !isKnown(text)),
      [],
    );
    if (!soak) return;
    for (const id of wrong) assert.ok(failed.join('\n').includes(`${id}: `), `${id} is right now`);
  });
}
