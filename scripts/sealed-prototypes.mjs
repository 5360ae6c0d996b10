/**
 * Loaded before the tests of a process: a caller's key that reaches the prototype of objects, lists
 * or functions throws instead of changing every object of the process. The prototypes are sealed
 * and not frozen, since objects of libraries have a `toString` or `constructor` of their own.
 */
for (const { prototype } of [Object, Array, Function, String, Number, Boolean]) Object.seal(prototype);
