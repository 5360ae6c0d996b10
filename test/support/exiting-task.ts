/** Ends its thread at every task. */
export default function perform(): never {
  process.exit(9);
}
