/** A part that behaves as a real one, but for some of its methods: for faults that it cannot be driven to. */
export const changed = <Part extends object>(part: Part, methods: Partial<Part>): Part =>
  Object.assign(Object.create(part), methods);
