import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toUtc } from '../../../../data/bars/time-zones.js';
import { EngineError } from '../../../../engine/errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../engine/series/intervals.js';

/** What the clocks of a zone show at an instant, as if it were UTC. */
function shown(utcMs: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(utcMs).replace(' ', 'T')}Z`);
}

const read = (local: readonly number[], zone: string): number[] => {
  const time = Float64Array.from(local);
  toUtc(time, zone, (index) => `row ${index + 1}`);
  return [...time];
};

const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'UTC'];

test('bars around every change of the clock come back as they were, oldest or newest first', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS),
      fc.integer({ min: 0, max: 365 * 8 }),
      fc.boolean(),
      (zone, step, day, isNewestFirst) => {
        // Its clocks go back by half an hour, in which hourly bars have one row and no order.
        fc.pre(zone !== 'Australia/Lord_Howe' || step <= 30 * MINUTE_MS);
        const from = Date.UTC(2017, 0, 1) + day * DAY_MS;
        const utc = Array.from({ length: 200 }, (_, i) => from + i * step);
        if (isNewestFirst) utc.reverse();
        assert.deepEqual(
          read(
            utc.map((ms) => shown(ms, zone)),
            zone,
          ),
          utc,
        );
      },
    ),
    {
      numRuns: 60,
      examples: [
        ['America/New_York', HOUR_MS, 2498, false],
        ['Europe/Berlin', 30 * MINUTE_MS, 2490, true],
      ],
    },
  );
});

test('an hour that the clocks skip is refused by name of its row', () => {
  assert.throws(
    () => read([Date.UTC(2024, 2, 10, 1), Date.UTC(2024, 2, 10, 2, 30)], 'America/New_York'),
    (error) =>
      error instanceof EngineError &&
      error.message === 'row 2: timestamp 2024-03-10 02:30:00 does not exist in America/New_York, whose clocks skip it',
  );
});

test('a distance to UTC is a zone without changes', () => {
  assert.deepEqual(read([Date.UTC(2024, 0, 1)], '-05:30'), [Date.UTC(2024, 0, 1, 5, 30)]);
});
