/** The part of WebAssembly that columns need; the full types come only with the browser library. */
export interface WebAssemblyMemory {
  /** A new object after every growth; arrays over an earlier one stay valid, because the memory is shared. */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages and returns how many there were before; a thread never gets the pages of another. */
  grow(pages: number): number;
}
declare const WebAssembly: {
  Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => WebAssemblyMemory;
};

const PAGE_BYTES = 65_536;
const ALIGN_BYTES = 64;
/** All that 32-bit addresses reach; address space is reserved for them, memory only for the pages in use. */
const PAGES_MAX = 65_536;

/**
 * A shared WebAssembly memory full of Float64 columns, each laid out as an Arrow buffer (64-byte aligned, no validity
 * bitmap). Columns live as long as the memory, and the memory lives while one of them does.
 */
export class ColumnMemory {
  /** For whoever instantiates kernels over it. */
  readonly memory: WebAssemblyMemory;
  /** Bytes from `#next` to `#end` are ours and unused. */
  #next = 0;
  #end: number;

  private constructor(memory: WebAssemblyMemory, ownBytes: number) {
    this.memory = memory;
    this.#end = ownBytes;
    known.set(memory, this);
    owners.set(memory.buffer, this);
  }

  /** A memory of its own, with room for so many bytes at least. */
  static create(bytes: number): ColumnMemory {
    const pages = Math.max(1, Math.ceil(bytes / PAGE_BYTES));
    const memory = new WebAssembly.Memory({ initial: pages, maximum: PAGES_MAX, shared: true });
    return new ColumnMemory(memory, pages * PAGE_BYTES);
  }

  /** A memory that another thread made and filled. */
  static adopt(memory: WebAssemblyMemory): ColumnMemory {
    const ours = known.get(memory);
    if (ours === undefined) return new ColumnMemory(memory, 0);
    owners.set(memory.buffer, ours);
    return ours;
  }

  /** The memory that holds the column, undefined for an ordinary array. */
  static of(column: ArrayBufferView): ColumnMemory | undefined {
    return owners.get(column.buffer);
  }

  /**
   * A new column, zeroed.
   * @throws RangeError when the memory would grow beyond 4 GiB or the system has no more
   */
  allocate(length: number): Float64Array {
    const bytes = columnBytes(length);
    if (this.#next + bytes > this.#end) {
      const pages = Math.ceil(bytes / PAGE_BYTES);
      this.#next = this.memory.grow(pages) * PAGE_BYTES;
      this.#end = this.#next + pages * PAGE_BYTES;
    }
    const { buffer } = this.memory;
    owners.set(buffer, this); // another thread that grows the memory makes it another object here
    const column = new Float64Array(buffer, this.#next, length);
    this.#next += bytes;
    return column;
  }

  /** The same, or undefined when the memory would grow beyond 4 GiB or the system has no more. */
  tryAllocate(length: number): Float64Array | undefined {
    try {
      return this.allocate(length);
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
}

const owners = new WeakMap<ArrayBufferLike, ColumnMemory>();
/** The runtime gives a shared memory another buffer when it likes (seen: after another memory has grown), which `owners` does not have. */
const known = new WeakMap<WebAssemblyMemory, ColumnMemory>();

export const columnBytes = (length: number): number => Math.ceil((length * 8) / ALIGN_BYTES) * ALIGN_BYTES;
