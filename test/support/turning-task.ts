/** Counts the turns of the thread's event loop from the first task on. */
export interface TurningTask {
  readonly work: Int32Array | { readonly turns: Int32Array };
}

export default function count({ work }: TurningTask) {
  const turns = 'turns' in work ? work.turns : work;
  setInterval(() => Atomics.add(turns, 0, 1), 1).unref();
  return { kind: 'computed', value: null };
}
