import {
  type Account,
  BarStep,
  dependsOnEntry,
  type ExitAlone,
  exitAlone,
  type FullConfig,
  fullConfig,
  isSteady,
  openAccount,
  openCounts,
  type Position,
  type SimulationInput,
  type StepBar,
  stepBar,
} from '../execution/index.js';

/** What the bars of a member say, whatever the account. */
type Rules = Pick<SimulationInput, 'bars' | 'entry' | 'exit' | 'shortEntry' | 'shortExit' | 'config'>;

/** An entry that a close decides, or refuses, and the bar that fills it, or tells why not. */
interface KnownEntry extends Readonly<Pick<Account, 'pendingEntry' | 'refusals'>> {
  readonly bar: StepBar;
  /** Where it is sold; null where the bars end before, undefined before it was asked for. */
  exit: ExitAlone | null | undefined;
}

/**
 * What is known of the entries of a member by their bars alone, for all portfolios of a sweep that
 * have it.
 */
export class KnownEntries {
  /** The settings, with none left out. */
  readonly config: FullConfig;
  private readonly entries = new Map<number, KnownEntry>();

  private constructor(private readonly rules: Rules) {
    this.config = fullConfig(rules.config);
  }

  /**
   * @param shared what another portfolio knows
   * @returns that, if it is of the same rules; null where entries depend on the account
   */
  static of(rules: Rules, shared: KnownEntries | undefined): KnownEntries | null {
    if (shared?.isOf(rules)) return shared;
    return dependsOnEntry(rules) && isSteady(rules.bars, fullConfig(rules.config)) ? new KnownEntries(rules) : null;
  }

  private isOf(rules: Rules): boolean {
    const own = this.rules;
    const isSame = (name: keyof Rules): boolean => rules[name] === own[name];
    return (['bars', 'entry', 'exit', 'shortEntry', 'shortExit', 'config'] as const).every(isSame);
  }

  /** @param bar one that has a bar before it */
  entryAt(bar: number): KnownEntry {
    let entry = this.entries.get(bar);
    if (entry === undefined) {
      const { rules, config } = this;
      const account = openAccount(config);
      new BarStep(account, stepBar(rules, bar - 1, config, false), config, openCounts()).decideEntries();
      const { pendingEntry, refusals } = account;
      entry = { pendingEntry, refusals, bar: stepBar(rules, bar, config, false), exit: undefined };
      this.entries.set(bar, entry);
    }
    return entry;
  }

  /** Where the position of an entry is sold. */
  exitOf(entry: KnownEntry, position: Position): ExitAlone | null {
    if (entry.exit === undefined) entry.exit = exitAlone(position, this.rules, this.config);
    return entry.exit;
  }
}
