/** A thread that does not survive any task. */
export default function perform(): never {
  process.exit(9);
}
