import type { BarSeries } from '../../engine/series/index.js';
import type { CallKind, CallMessage, Calls, Catalogue, Refusal, ReplyMessage } from './protocol.js';

/** Address of the script of the engine's thread, which the build writes. */
declare const ENGINE_SCRIPT: string;

/** The engine refused a request: the message is for the user. */
export class RefusedByEngine extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The engine in its thread, as the page asks it. */
export class Engine {
  readonly #worker = new Worker(ENGINE_SCRIPT, { type: 'module', name: 'engine' });
  readonly #waiting = new Map<number, Waiting>();
  #tickets = 0;
  #catalogue: Promise<Catalogue> | null = null;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<ReplyMessage>) => {
      const waiting = this.#waiting.get(data.ticket);
      this.#waiting.delete(data.ticket);
      if (waiting === undefined) return;
      if ('refusal' in data) waiting.reject(new RefusedByEngine(data.refusal));
      else waiting.resolve(data.answer);
    });
    this.#worker.addEventListener('error', ({ message }) => {
      const error = new Error(`the engine's thread ended: ${message}`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  ask<Kind extends CallKind>(kind: Kind, asked: Calls[Kind]['asked'], transfer: Transferable[] = []) {
    const ticket = ++this.#tickets;
    return new Promise<Calls[Kind]['answer']>((resolve, reject) => {
      this.#waiting.set(ticket, { resolve: (answer) => resolve(answer as Calls[Kind]['answer']), reject });
      this.#worker.postMessage({ ticket, kind, asked } as CallMessage, transfer);
    });
  }

  catalogue(): Promise<Catalogue> {
    this.#catalogue ??= this.ask('catalogue', null);
    return this.#catalogue;
  }

  load(asset: string, interval: string, ipc: ArrayBuffer): Promise<BarSeries> {
    return this.ask('load', { asset, interval, ipc }, [ipc]);
  }

  close(): void {
    this.#worker.terminate();
  }
}
