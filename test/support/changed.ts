/**
 * A real part with some of its methods replaced: for faults that it cannot be driven to, at the
 * call that a test needs.
 */
export const changed = <Part extends object>(part: Part, methods: Partial<Part>): Part =>
  Object.assign(Object.create(part), methods);
