import { Pace } from './pace.js';

/** A value as the bytes of its JSON, which a facade passes on without parsing them. */
export class JsonText {
  constructor(readonly bytes: Buffer) {}

  /** A list of `count` items, each from its JSON. It takes no memory of the heap but their bytes. */
  static async listOf(count: number, itemAt: (i: number) => string): Promise<JsonText> {
    const [pieces, pace]: [Buffer[], Pace] = [[], new Pace()];
    let text = '[';
    for (let i = 0; i < count; i++) {
      text += i === 0 ? itemAt(i) : `,${itemAt(i)}`;
      if (text.length > TEXT_MAX) {
        pieces.push(Buffer.from(text));
        text = '';
        if (pace.isDue) await pace.rest();
      }
    }
    pieces.push(Buffer.from(`${text}]`));
    return new JsonText(Buffer.concat(pieces));
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString());
  }
}

/** Items of a list that are written at once. */
const ITEMS_AT_ONCE = 64;
/** How deep the longest lists lie, with room: the bars of the signals of an answer. */
const LEVELS = 4;
/** Characters that are kept as text before they become bytes. */
const TEXT_MAX = 65_536;

/**
 * Writes JSON as `JSON.stringify` does, but piece by piece with turns of the event loop in between.
 */
export async function pacedJson(value: unknown): Promise<Buffer[]> {
  const writer = new Writer();
  await writer.write(value, LEVELS);
  return writer.end();
}

class Writer {
  readonly #pieces: Buffer[] = [];
  readonly #pace = new Pace();
  #text = '';

  async write(value: unknown, levels: number): Promise<void> {
    if (value instanceof JsonText) this.#addBytes(value.bytes);
    else if (levels === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) this.#add(value);
    else if (Array.isArray(value)) await this.#writeList(value, levels);
    else await this.#writeObject(value, levels);
  }

  end(): Buffer[] {
    this.#flush();
    return this.#pieces;
  }

  async #writeList(items: readonly unknown[], levels: number): Promise<void> {
    this.#text += '[';
    for (let i = 0; i < items.length; ) {
      if (i > 0) this.#text += ',';
      if (items.length <= ITEMS_AT_ONCE) await this.write(items[i++], levels - 1);
      else {
        const slice = items.slice(i, i + ITEMS_AT_ONCE);
        this.#text += JSON.stringify(slice).slice(1, -1);
        i += slice.length;
      }
      await this.#rest();
    }
    this.#text += ']';
  }

  async #writeObject(value: object, levels: number): Promise<void> {
    let separator = '';
    this.#text += '{';
    for (const [key, item] of Object.entries(value)) {
      if (item === undefined) continue;
      this.#text += `${separator}${JSON.stringify(key)}:`;
      separator = ',';
      await this.write(item, levels - 1);
    }
    this.#text += '}';
  }

  #add(value: unknown): void {
    this.#text += JSON.stringify(value) ?? 'null';
  }

  #addBytes(bytes: Buffer): void {
    this.#flush();
    this.#pieces.push(bytes);
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(Buffer.from(this.#text));
    this.#text = '';
  }

  async #rest(): Promise<void> {
    if (this.#text.length > TEXT_MAX) this.#flush();
    if (this.#pace.isDue) await this.#pace.rest();
  }
}
