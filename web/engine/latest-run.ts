import { type Engine, RefusedByEngine } from './engine.js';
import type { HeldSeries } from './held-series.js';
import type { RunAnswer, RunRequest } from './protocol.js';

/**
 * Runs the latest of the requests that come faster than the engine answers, as from a slider: while
 * one runs, a new one takes the place of the one that waits. Each answer goes to `onAnswer`.
 */
export class LatestRun {
  #isRunning = false;
  #next: RunRequest | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly series: HeldSeries,
    private readonly onAnswer: (request: RunRequest, answer: RunAnswer) => void,
    private readonly onRefusal: (request: RunRequest, error: Error) => void,
  ) {}

  request(request: RunRequest): void {
    this.#next = request;
    if (!this.#isRunning) void this.#runAll();
  }

  /** Series are seldom missing, so the run is asked for first. */
  async #run(request: RunRequest): Promise<RunAnswer> {
    try {
      return await this.engine.ask('run', request);
    } catch (error) {
      if (!(error instanceof RefusedByEngine) || error.refusal.code !== 'NOT_FOUND') throw error;
      await this.series.loadFor(request);
      return this.engine.ask('run', request);
    }
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    for (let request = this.#next; request !== null; request = this.#next) {
      this.#next = null;
      try {
        this.onAnswer(request, await this.#run(request));
      } catch (error) {
        this.onRefusal(request, error as Error);
      }
    }
    this.#isRunning = false;
  }
}
