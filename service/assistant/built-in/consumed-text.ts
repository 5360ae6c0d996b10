/** A text from which readers take what they understand, so that no other reader takes it again. */
export class ConsumedText {
  /** What was taken, in the order of the readers. */
  readonly taken: string[] = [];

  constructor(private text: string) {}

  get rest(): string {
    return this.text;
  }

  /** Takes the first match out. */
  take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.taken.push(found[0]);
    this.text = `${this.text.slice(0, found.index)} | ${this.text.slice(found.index + found[0].length)}`;
    return found;
  }
}
