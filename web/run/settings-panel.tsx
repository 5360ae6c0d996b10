import { useState } from 'preact/hooks';
import type { FieldSpec } from '../engine/protocol.js';
import { SpecField } from '../parts/number-field.js';
import { useWorkspace } from '../shell/workspace.js';

interface SettingsPanelProps {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Of the settings, by name. */
  readonly problem: { readonly field: string; readonly message: string } | null;
  readonly onChange: (settings: Readonly<Record<string, unknown>>) => void;
}

/** In sight without a search: what a trade costs, risks and may hold. */
const FIRST = [
  'fee_pct',
  'slippage_pct',
  'funding',
  'borrow_rate',
  'leverage',
  'initial_balance',
  'max_risk_per_trade',
  'stop_loss_calculation',
  'fixed_stop_pct',
  'atr_volatility_factor',
  'reward_factor',
  'trailing_distance',
  'max_hold_bars',
  'max_open_positions',
];

/** Every execution setting: the common ones, the changed ones, and the others by search. */
export function SettingsPanel({ settings, problem, onChange }: SettingsPanelProps) {
  const { catalogue } = useWorkspace();
  const [words, setWords] = useState('');
  const byName = new Map(catalogue.settings.map((spec) => [spec.name, spec]));
  const changed = Object.keys(settings).filter((name) => !FIRST.includes(name));
  const shown = words.trim() === '' ? [...FIRST, ...changed] : searched(catalogue.settings, words);
  const set = (name: string, value: unknown): void => {
    const { [name]: _, ...others } = settings;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <section class="panel" aria-label="Settings">
      <input
        type="search"
        placeholder={`Search ${catalogue.settings.length} settings`}
        aria-label="Search settings"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      {shown.map((name) => {
        const spec = byName.get(name);
        if (spec === undefined) return null;
        const value = settings[name];
        const wrong = problem?.field === name ? problem.message : null;
        return <SpecField key={name} spec={spec} value={value} problem={wrong} onChange={(next) => set(name, next)} />;
      })}
      {shown.length === 0 && <p class="quiet">No setting has these words.</p>}
    </section>
  );
}

function searched(settings: readonly FieldSpec[], words: string): string[] {
  const asked = words.toLowerCase().split(/\W+/).filter(Boolean);
  return settings
    .filter(({ name, description }) => asked.every((word) => `${name} ${description}`.toLowerCase().includes(word)))
    .map(({ name }) => name);
}
