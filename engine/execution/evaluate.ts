import { firstBarFrom } from '../series/index.js';
import { type Account, accountValue, openAccount, openLossOf, type Position, type WorkingOrder } from './account.js';
import { openCounts } from './detail.js';
import { type FullConfig, fullConfig } from './full-config.js';
import { readGuards } from './guards.js';
import { checkInput, type SimulationInput } from './simulation.js';
import { type AccountEvent, BarStep, step } from './step.js';
import { type StepBar, stepBar } from './step-bar.js';

/** A position of a paper account: `entryTime` is epoch ms, and `entryBar` the first bar that closes after it. */
export interface PaperPosition extends Position {
  readonly id: string;
  readonly entryTime: number;
}

/** A working order of a paper account, which may be placed inside a bar. */
export interface PaperOrder extends WorkingOrder {
  readonly id: string;
  /** Epoch ms; bars that opened before it do not fill the order. */
  readonly placedTime: number;
}

/**
 * An account that is evaluated at chosen moments instead of bar by bar. Plain data without NaN or
 * infinities, so it survives JSON. Its bar numbers count the bars present in the data; each
 * evaluation continues the count of the one before.
 */
export interface PaperAccount extends Account {
  positions: PaperPosition[];
  orders: PaperOrder[];
  /** Number of the newest bar whose close was evaluated, and its open time; -1 and null before the first. */
  lastBar: number;
  lastBarTime: number | null;
}

/** With the id of the position or order, and when it happened (epoch ms). */
export type PaperEvent = AccountEvent & { readonly id: string | null; readonly time: number };

interface EvaluationInput extends Omit<SimulationInput, 'first' | 'equity'> {
  /** The latest price, above 0, and its time (epoch ms). */
  readonly price: number;
  readonly time: number;
  /**
   * Makes the id of a position or an order from the bar and the side of the entry, which no other
   * shares. A position that an order opens has the id of the order.
   */
  readonly idOf: (bar: number, side: Position['side']) => string;
  /** Id of a position that a person closes at the price, if it is still open after all else. */
  readonly closing?: string | undefined;
}

interface Evaluation {
  readonly account: PaperAccount;
  /** In the order they happened. */
  readonly events: readonly PaperEvent[];
}

/** @param cash what the account begins with; default: the initial balance */
export function openPaperAccount(
  given: SimulationInput['config'],
  { isPlain = false, cash = given.initial_balance } = {},
): PaperAccount {
  const account = openAccount({ initial_balance: cash }, { isPlain });
  return { ...account, positions: [], orders: [], lastBar: -1, lastBarTime: null };
}

/** Value of a paper account at one price. */
export const paperValue = (account: PaperAccount, price: number, config: SimulationInput['config']): number =>
  accountValue(account, price, fullConfig(config));

/**
 * Takes a paper account through its next closed bar, as `step` does.
 * @param before does not change
 * @param bar numbered by the account: its `index` is not read
 */
export function stepPaper(
  before: PaperAccount,
  bar: StepBar,
  given: SimulationInput['config'],
  idOf: EvaluationInput['idOf'],
): Evaluation {
  const paper = new Paper(before, fullConfig(given), idOf);
  const at = { ...bar, index: before.lastBar + 1 };
  step(paper.account, at, paper.config, openCounts(), paper.log);
  paper.mark(bar.time, bar.time + bar.intervalMs);
  return paper.finish(at.index, bar.time);
}

/**
 * Evaluates an account at one moment, as `step` does once per bar. The account handed in does
 * not change. Every bar closed since the last evaluation, oldest first, is judged for the positions
 * and orders that were there when it opened: part of the range of the bar came before the others.
 * Stops move with closed bars only. The close of the newest decides, and what it decides fills at
 * the price. Last, working orders and levels look at the price. Between two closes only this last
 * part runs, so a second evaluation inside a bar neither enters again nor exits again by signal or
 * time.
 *
 * Called at every close with the next open as price, it makes the trades of `simulate`, except for
 * END exits and the order of what happens inside one bar.
 *
 * @param input its bars are closed, at least one, and reach back to the first bar not yet
 *   evaluated, or as far as the data goes
 */
export function evaluateAccount(before: PaperAccount, input: EvaluationInput): Evaluation {
  const { bars, price, time, idOf } = input;
  checkInput({ ...input, first: 0 });
  if (bars.barCount === 0) throw new RangeError('an evaluation needs a closed bar');
  const config = fullConfig(input.config);
  const paper = new Paper(before, config, idOf);

  const { lastBar, lastBarTime } = before;
  const newFrom = lastBarTime === null ? 0 : firstBarFrom(bars, lastBarTime + 1);
  const isNewBar = newFrom < bars.barCount;
  const decisionBar = isNewBar ? lastBar + bars.barCount - newFrom : lastBar;
  let isBroken = false;
  for (let i = newFrom; i < bars.barCount; i++) {
    const bar = { ...stepBar(input, i, config), index: lastBar + 1 + i - newFrom };
    isBroken = judgeClosed(paper, bar) || isBroken;
    if (i === bars.barCount - 1) decideAt(paper, bar, isBroken, time);
  }
  const last = bars.barCount - 1;
  const now: StepBar = {
    ...{ index: decisionBar + 1, time, intervalMs: bars.intervalMs },
    ...{ open: price, high: price, low: price, close: price, volume: bars.volume[last] },
    volumeBefore: bars.volume[last],
    entry: { long: false, short: false },
    exit: { long: false, short: false },
    ...{ atr: null, volatilityScale: null, volatility: null, funding: null, finer: null, isLast: false },
  };
  const run = paper.run(now);
  if (isNewBar) {
    run.fillScheduled();
    run.fillPending();
  }
  for (const order of run.ordersAtOpen()) run.fillAtOpen(order);
  run.judgePositions();
  paper.mark(time); // which gives new positions their ids
  const closed = paper.account.positions.find(({ id }) => id === input.closing);
  if (closed !== undefined) {
    run.sellWhole(closed, price, 'MANUAL');
    paper.mark(time);
  }
  return paper.finish(decisionBar, isNewBar ? bars.time[last] : lastBarTime);
}

/**
 * Judges one closed bar for what was there when it opened, and expires orders.
 * @returns whether a guard broke at its close
 */
function judgeClosed(paper: Paper, bar: StepBar): boolean {
  const { account } = paper;
  const young = account.positions.filter(({ entryTime }) => entryTime > bar.time);
  const isOld = (order: WorkingOrder) => (order as PaperOrder).placedTime <= bar.time;
  const run = paper.run(bar);
  for (const order of run.ordersAtOpen().filter(isOld)) run.fillAtOpen(order);
  paper.mark(bar.time);
  without(account, young, () => run.judgePositions());
  const inside = run.ordersInside().filter(({ order }) => isOld(order));
  const opened = inside.map((order) => run.fillInside(order));
  for (const one of opened) if (one !== null) run.judgeOpened(one);
  without(account, young, () => {
    run.payCarry();
    run.moveStops();
  });
  run.expireOrders();
  paper.mark(bar.time, bar.time + bar.intervalMs);
  return paper.isBroken(bar);
}

/** Decides at the newest close. */
function decideAt(paper: Paper, bar: StepBar, isBroken: boolean, time: number): void {
  const run = paper.run(bar);
  run.decideExits(isBroken);
  // Where the caller keeps the positions, it may hold the entry of this close already.
  if (!paper.account.positions.some(({ entryBar }) => entryBar > bar.index)) run.decideEntries();
  paper.mark(time);
}

/** Does `work` while some positions are not in the account; they stand behind the others. */
function without(account: PaperAccount, young: readonly PaperPosition[], work: () => void): void {
  if (young.length > 0) account.positions = account.positions.filter((position) => !young.includes(position));
  work();
  account.positions.push(...young);
}

/** An evaluation in progress: a copy of the account, and what happens to it. */
class Paper {
  readonly account: PaperAccount;
  /** What has happened since the last mark. */
  readonly log: AccountEvent[] = [];
  readonly #events: PaperEvent[] = [];

  constructor(
    before: PaperAccount,
    readonly config: FullConfig,
    private readonly idOf: EvaluationInput['idOf'],
  ) {
    this.account = structuredClone(before);
  }

  run(bar: StepBar): BarStep {
    return new BarStep(this.account, bar, this.config, openCounts(), undefined, this.log);
  }

  /** Whether a guard breaks at a close. */
  isBroken(bar: StepBar): boolean {
    const { account, config } = this;
    const value = accountValue(account, bar.close, config);
    return readGuards(account.guard, bar, value, openLossOf(account, bar.close), config);
  }

  /** Gives events since the last mark their time, and new positions and orders their id. */
  mark(time: number, closeTime = time): void {
    this.#events.push(
      ...paperEvents(this.account, this.log.splice(0), this.config, { idOf: this.idOf, time, closeTime }),
    );
  }

  finish(lastBar: number, lastBarTime: number | null): Evaluation {
    const { account } = this;
    account.lastBar = lastBar;
    account.lastBarTime = lastBarTime;
    return { account, events: this.#events };
  }
}

/**
 * Gives the events of an account their time, and new positions and orders their id.
 * @param log what has happened since this was called last
 * @param at `closeTime` is the time of what a close decided
 */
export function paperEvents(
  account: Account,
  log: readonly AccountEvent[],
  config: FullConfig,
  at: { readonly idOf: EvaluationInput['idOf']; readonly time: number; readonly closeTime: number },
): PaperEvent[] {
  const { idOf, time, closeTime } = at;
  const entered = new Map<string, string>();
  for (const event of log) {
    if (event.kind !== 'entry') continue;
    const { position, order } = event;
    entered.set(keyOf(position), (order as PaperOrder | null)?.id ?? idOf(position.entryBar, position.side));
  }
  for (const position of account.positions as PaperPosition[]) {
    if (position.id === undefined) Object.assign(position, { id: entered.get(keyOf(position)), entryTime: time });
  }
  for (const order of account.orders as PaperOrder[]) {
    const firstBar = order.lastBar - config.entry_valid_bars + 1;
    if (order.id === undefined) Object.assign(order, { id: idOf(firstBar, order.side), placedTime: closeTime });
  }
  return log.map((event) => ({ ...event, id: idIn(event, entered), time: isAtClose(event) ? closeTime : time }));
}

/** A side has at most one entry in a bar. */
const keyOf = ({ entryBar, side }: Position): string => `${entryBar} ${side}`;

function idIn(event: AccountEvent, entered: ReadonlyMap<string, string>): string | null {
  if ('position' in event) {
    // biome-ignore lint/style/noNonNullAssertion: a position without an id was entered in this evaluation
    return (event.position as PaperPosition).id ?? entered.get(keyOf(event.position))!;
  }
  return 'order' in event ? (event.order as PaperOrder).id : null;
}

const isAtClose = ({ kind }: AccountEvent): boolean =>
  kind !== 'entry' && kind !== 'sale' && kind !== 'exit' && kind !== 'denial';
