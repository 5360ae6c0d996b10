/** The part of WebAssembly that columns need; the full types come only with the browser library. */
export interface WebAssemblyMemory {
  /**
   * A new object after every growth. Arrays over an earlier object stay valid, because the memory
   * is shared.
   */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages and returns how many there were before. */
  grow(pages: number): number;
}
declare const WebAssembly: {
  Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WebAssemblyMemory;
};

const PAGE_BYTES = 65_536;
const ALIGN_BYTES = 64;
/**
 * All that 32-bit addresses can reach. The system reserves address space for all of it, and memory
 * only for the pages in use.
 */
const PAGES_MAX = 65_536;

/** A range of bytes that no column uses. */
interface Gap {
  from: number;
  to: number;
}

/**
 * A shared WebAssembly memory of Float64 columns, each laid out as an Arrow buffer (64-byte
 * aligned, no validity bitmap). A thread allocates and frees columns in the pages that it added.
 * Other threads may read a column while its owner keeps it.
 *
 * A memory never shrinks, and dropping one frees nothing for a long time, because the garbage
 * collector does not count its bytes. So a process has few memories, keeps them and reuses their
 * room. A freed column joins the gaps beside it, so a memory grows to the most that columns use at
 * one time, of any lengths.
 */
export class ColumnMemory {
  /** The kernels over this memory import it. */
  readonly memory: WebAssemblyMemory;
  /** Ascending by address; no two touch. */
  readonly #gaps: Gap[];
  /** Pages of this thread, and one past the last of them. */
  #pages: number;
  #end: number;

  private constructor(
    memory: WebAssemblyMemory,
    ownBytes: number,
    private readonly pagesMax: number,
  ) {
    this.memory = memory;
    this.#gaps = ownBytes === 0 ? [] : [{ from: 0, to: ownBytes }];
    this.#pages = ownBytes / PAGE_BYTES;
    this.#end = ownBytes;
  }

  /**
   * @param bytes room at the start
   * @param bytesMax limit of its growth; by default all that kernels can address
   */
  static create(bytes: number, bytesMax = PAGES_MAX * PAGE_BYTES): ColumnMemory {
    const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
    const memory = new WebAssembly.Memory({ initial: pages, maximum: PAGES_MAX, shared: true });
    return new ColumnMemory(memory, pages * PAGE_BYTES, Math.floor(bytesMax / PAGE_BYTES));
  }

  /**
   * The memory that another thread created, for kernels over its columns and for columns beside them.
   */
  static join(memory: WebAssemblyMemory): ColumnMemory {
    const joined = new ColumnMemory(memory, 0, PAGES_MAX);
    owners.set(memory.buffer, joined);
    return joined;
  }

  /** The memory of this thread that holds the column; undefined for any other array. */
  static of(column: ArrayBufferView): ColumnMemory | undefined {
    return owners.get(column.buffer);
  }

  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  /**
   * A column with unspecified content: zeros only where no column was before.
   * @throws RangeError when the memory would grow beyond its limit, or the system has no more
   */
  allocate(length: number): Float64Array {
    const bytes = columnBytes(length);
    const gap = this.#gaps.find(({ from, to }) => to - from >= bytes) ?? this.#grow(bytes);
    const { buffer } = this.memory;
    owners.set(buffer, this); // a new object after each growth
    const column = new Float64Array(buffer, gap.from, length);
    gap.from += bytes;
    if (gap.from === gap.to) this.#gaps.splice(this.#gaps.indexOf(gap), 1);
    return column;
  }

  /** Like `allocate`, but returns undefined where that throws a RangeError. */
  tryAllocate(length: number): Float64Array | undefined {
    try {
      return this.allocate(length);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /**
   * Frees a column exactly as `allocate` returned it. No code may read it afterwards.
   * @throws Error when its bytes are already free
   */
  free({ byteOffset: from, length }: Float64Array): void {
    const to = from + columnBytes(length);
    if (from === to) return;
    const gaps = this.#gaps;
    const found = gaps.findIndex((gap) => gap.from >= from);
    const at = found === -1 ? gaps.length : found;
    const [before, after] = [gaps[at - 1], gaps[at]];
    if (before?.to > from || after?.from < to) throw new Error(`a column was given back twice: bytes ${from}..${to}`);
    const joinsBefore = before?.to === from ? 1 : 0;
    const joinsAfter = after?.from === to ? 1 : 0;
    const gap = { from: joinsBefore === 1 ? before.from : from, to: joinsAfter === 1 ? after.to : to };
    gaps.splice(at - joinsBefore, joinsBefore + joinsAfter, gap);
  }

  /**
   * Adds pages for a column of `bytes` bytes, which may begin in the gap at the end. Where another
   * thread adds pages at the same time, the new ones do not follow that gap, and more are added.
   */
  #grow(bytes: number): Gap {
    for (;;) {
      const last = this.#gaps.at(-1);
      const open = last?.to === this.#end ? last : null;
      const pages = Math.ceil((bytes - (open === null ? 0 : open.to - open.from)) / PAGE_BYTES);
      if (this.#pages + pages > this.pagesMax) {
        throw new RangeError(
          `the memory is full: ${bytes} bytes more exceed its limit of ${this.pagesMax * PAGE_BYTES}`,
        );
      }
      const from = this.memory.grow(pages) * PAGE_BYTES;
      this.#pages += pages;
      this.#end = from + pages * PAGE_BYTES;
      if (open?.to === from) open.to = this.#end;
      else this.#gaps.push({ from, to: this.#end });
      const gap = this.#gaps.at(-1);
      if (gap !== undefined && gap.to - gap.from >= bytes) return gap;
    }
  }
}

const owners = new WeakMap<ArrayBufferLike, ColumnMemory>();

export const columnBytes = (length: number): number => Math.ceil((length * 8) / ALIGN_BYTES) * ALIGN_BYTES;
