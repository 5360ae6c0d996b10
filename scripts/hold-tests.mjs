/** Holds the tests of a process until its files are loaded, see `test-program.mjs`. */
import test from 'node:test';

/** Called when all files are loaded. */
export let loaded = () => {};

const whenLoaded = new Promise((resolve) => {
  loaded = resolve;
});
test('the test files are loaded', () => whenLoaded); // test-reporter.mjs leaves it out
