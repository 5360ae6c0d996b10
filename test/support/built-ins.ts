import assert from 'node:assert/strict';

/**
 * Importing this closes the built-in prototypes of the process: a property that is written to one
 * of them throws where it is written. They are not frozen, since libraries may set `toString` on
 * objects of their own, which a frozen prototype forbids; `assertBuiltInsAreSound` compares what
 * they have.
 */
const closed = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Error, Map, Set, Promise],
  ...[Float64Array, Uint8Array, Object.getPrototypeOf(Uint8Array) as typeof Uint8Array, ArrayBuffer, Buffer],
].map(({ prototype }) => prototype as object);

const state = (prototype: object) =>
  Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)] as const);

const states = closed.map(state);

for (const [i, prototype] of closed.entries()) {
  Object.preventExtensions(prototype);
  for (const [, descriptor] of states[i] ?? []) {
    for (const own of [descriptor?.value, descriptor?.get, descriptor?.set] as unknown[]) {
      if (typeof own === 'function') Object.preventExtensions(own);
    }
  }
}

/** Fails if a property of a built-in prototype was replaced. */
export function assertBuiltInsAreSound(): void {
  for (const [i, prototype] of closed.entries()) assert.deepEqual(state(prototype), states[i]);
}
