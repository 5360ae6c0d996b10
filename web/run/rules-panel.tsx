import { useMemo, useState } from 'preact/hooks';
import type { Catalogue, SignalSpec } from '../engine/protocol.js';
import { SpecField } from '../parts/number-field.js';
import { useWorkspace } from '../shell/workspace.js';
import { FormulaField } from './formula-field.js';
import { type RuleJson, rulesOn, type SideKey, type StrategyJson, sides, withRules } from './run-state.js';

interface RulesPanelProps {
  readonly strategy: StrategyJson;
  readonly onChange: (strategy: StrategyJson) => void;
}

const titles: Readonly<Record<SideKey, string>> = {
  entry: 'Buy when',
  exit: 'Sell when',
  short_entry: 'Sell short when',
  short_exit: 'Cover when',
};

/** The rules of both sides, each with its parameters, and a search for more. */
export function RulesPanel({ strategy, onChange }: RulesPanelProps) {
  const [shows, setShows] = useState(strategy.short_entry !== undefined);
  const shown = sides.filter((side) => shows || !side.startsWith('short'));
  return (
    <section class="panel" aria-label="Rules">
      {shown.map((side) => (
        <Side side={side} strategy={strategy} onChange={onChange} />
      ))}
      {!shows && (
        <button type="button" class="link" onClick={() => setShows(true)}>
          Add a short side
        </button>
      )}
    </section>
  );
}

function Side({ side, strategy, onChange }: RulesPanelProps & { readonly side: SideKey }) {
  const { catalogue } = useWorkspace();
  const rules = rulesOn(strategy, side);
  if (rules === null) {
    return (
      <fieldset>
        <legend>{titles[side]}</legend>
        <p class="quiet">A choice of lists: change it as JSON.</p>
      </fieldset>
    );
  }
  const set = (changed: readonly RuleJson[]): void => onChange(withRules(strategy, side, changed));
  return (
    <fieldset>
      <legend>{titles[side]}</legend>
      {rules.length === 0 && (
        <p class="quiet">{side.endsWith('exit') ? 'only stop, target and time end a trade' : 'never'}</p>
      )}
      {rules.map((rule, i) => (
        <Rule
          key={`${i} ${rule.name}`}
          rule={rule}
          catalogue={catalogue}
          onChange={(changed) => set(rules.map((one, k) => (k === i ? changed : one)))}
          onRemove={() => set(rules.filter((_, k) => k !== i))}
        />
      ))}
      <AddRule onAdd={(spec) => set([...rules, newRule(spec, side, rules)])} />
    </fieldset>
  );
}

/** An entry needs one event; further rules of a side are conditions beside it. */
function newRule(spec: SignalSpec, side: SideKey, rules: readonly RuleJson[]): RuleJson {
  const hasTrigger = rules.some((rule) => rule.signal_type === 'TRIGGER');
  const role = spec.fitsAnyRole ? (hasTrigger ? 'FILTER' : 'TRIGGER') : spec.type;
  const params =
    spec.name === 'formula'
      ? { when: side.endsWith('exit') ? 'close < sma(close, 50)' : 'close > sma(close, 50)' }
      : {};
  return { name: spec.name, signal_type: role, timeframe: null, params };
}

interface RuleProps {
  readonly rule: RuleJson;
  readonly catalogue: Catalogue;
  readonly onChange: (rule: RuleJson) => void;
  readonly onRemove: () => void;
}

function Rule({ rule, catalogue, onChange, onRemove }: RuleProps) {
  const spec = catalogue.signals.find(({ name }) => name === rule.name);
  const params = rule.params ?? {};
  const setParam = (name: string, value: unknown): void => {
    const { [name]: _, ...others } = params;
    onChange({ ...rule, params: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <div class="rule">
      <div class="rule-head">
        <strong title={spec?.definition}>{rule.name.replaceAll('_', ' ')}</strong>
        <select
          aria-label={`Role of ${rule.name}`}
          value={rule.signal_type}
          onChange={({ currentTarget }) =>
            onChange({ ...rule, signal_type: currentTarget.value as RuleJson['signal_type'] })
          }
        >
          <option value="TRIGGER">event</option>
          <option value="FILTER">condition</option>
        </select>
        <select
          aria-label={`Bars of ${rule.name}`}
          value={rule.timeframe ?? ''}
          onChange={({ currentTarget }) =>
            onChange({ ...rule, timeframe: currentTarget.value === '' ? null : currentTarget.value })
          }
        >
          <option value="">run's bars</option>
          {catalogue.timeframes.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
        <button type="button" class="link" aria-label={`Remove ${rule.name}`} onClick={onRemove}>
          remove
        </button>
      </div>
      {spec === undefined ? (
        <p class="problem">The catalogue has no signal of this name.</p>
      ) : (
        <p class="quiet">{spec.description}</p>
      )}
      {rule.name === 'formula' ? (
        <FormulaField value={String(params.when ?? '')} onChange={(when) => setParam('when', when)} />
      ) : (
        spec?.params.map((param) => (
          <SpecField spec={param} value={params[param.name]} onChange={(value) => setParam(param.name, value)} />
        ))
      )}
    </div>
  );
}

const FOUND_MAX = 12;

/** Finds signals by words of their names and descriptions, all of which must occur. */
function AddRule({ onAdd }: { readonly onAdd: (spec: SignalSpec) => void }) {
  const { catalogue } = useWorkspace();
  const [words, setWords] = useState('');
  const found = useMemo(() => searchSignals(catalogue, words), [catalogue, words]);
  return (
    <div class="add-rule">
      <input
        type="search"
        placeholder="Add a rule: rsi oversold, breakout, formula…"
        aria-label="Search for a signal to add"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
        onKeyDown={({ key }) => {
          const [first] = found;
          if (key === 'Enter' && first !== undefined) {
            onAdd(first);
            setWords('');
          }
        }}
      />
      {words.trim() !== '' && (
        <ul class="found">
          {found.slice(0, FOUND_MAX).map((spec) => (
            <li>
              <button
                type="button"
                onClick={() => {
                  onAdd(spec);
                  setWords('');
                }}
              >
                <strong>{spec.name.replaceAll('_', ' ')}</strong> {spec.description}
              </button>
            </li>
          ))}
          {found.length === 0 && (
            <li class="quiet">No signal has all of these words; “formula” takes any condition.</li>
          )}
          {found.length > FOUND_MAX && (
            <li class="quiet">and {found.length - FOUND_MAX} more: another word narrows them</li>
          )}
        </ul>
      )}
    </div>
  );
}

function searchSignals({ signals }: Catalogue, words: string): readonly SignalSpec[] {
  const asked = words.toLowerCase().split(/\W+/).filter(Boolean);
  if (asked.length === 0) return [];
  const rank = ({ name, description, category, bias }: SignalSpec): number => {
    const inName = asked.filter((word) => name.includes(word)).length;
    const all = `${name} ${description} ${category} ${bias}`.toLowerCase();
    return asked.every((word) => all.includes(word)) ? 1 + inName : 0;
  };
  return signals
    .map((spec) => ({ spec, rank: rank(spec) }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => b.rank - a.rank || (a.spec.name < b.spec.name ? -1 : 1))
    .map(({ spec }) => spec);
}
