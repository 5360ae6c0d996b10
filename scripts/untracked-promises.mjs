/**
 * Keeps the test runner from enabling its asynchronous hook: see `programs` in run-tests.mjs. Hooks
 * of other code are enabled as usual.
 */
import { createHook } from 'node:async_hooks';

const hooks = Object.getPrototypeOf(createHook({}));
const { enable } = hooks;

hooks.enable = function enableUnlessOfRunner() {
  // Its own call stands above this one; storage of other code may be enabled somewhere below a test.
  const isOfRunner = /\(node:internal\/test_runner\//.test(new Error().stack?.split('\n')[2] ?? '');
  return isOfRunner ? this : enable.call(this);
};
