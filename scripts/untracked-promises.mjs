/**
 * Keeps the test runner from enabling its asynchronous hook: see `programs` in run-tests.mjs. Hooks
 * of other code are enabled as usual.
 */
import { createHook } from 'node:async_hooks';

const hooks = Object.getPrototypeOf(createHook({}));
const { enable } = hooks;

hooks.enable = function enableUnlessOfRunner() {
  const isOfRunner = /\(node:internal\/test_runner\//.test(new Error().stack ?? '');
  return isOfRunner ? this : enable.call(this);
};
