import { useId } from 'preact/hooks';
import type { FieldSpec } from '../engine/protocol.js';

interface FieldProps {
  readonly spec: FieldSpec;
  /** Undefined where the default stands. */
  readonly value: unknown;
  /** Called with undefined for the default. */
  readonly onChange: (value: unknown) => void;
  /** What the engine says of the value. */
  readonly problem?: string | null;
}

/** How far a slider reaches where a setting has no upper bound, in multiples of the larger of value and default. */
const REACH = 3;
const STEPS = 200;

/** A parameter or setting: a slider with its bounds, and beside it a field to type in. */
export function SpecField(props: FieldProps) {
  const { spec } = props;
  switch (spec.kind) {
    case 'integer':
    case 'number':
      return <NumberField {...props} />;
    case 'boolean':
      return <BooleanField {...props} />;
    case 'choice':
      return <ChoiceField {...props} />;
    default:
      return <JsonField {...props} />;
  }
}

const shownName = (name: string): string => name.replaceAll('_', ' ');

function Heading({ spec, value, id, onChange }: FieldProps & { readonly id: string }) {
  return (
    <span class="field-name">
      <label for={id} title={spec.description}>
        {shownName(spec.name)}
      </label>
      {spec.unit !== undefined && <small> {spec.unit}</small>}
      {value !== undefined && (
        <button type="button" class="link" title={`Back to ${text(spec.default)}`} onClick={() => onChange(undefined)}>
          reset
        </button>
      )}
    </span>
  );
}

const text = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function NumberField({ spec, value, onChange, problem }: FieldProps) {
  const id = useId();
  const current = value === undefined ? spec.default : value;
  const number = typeof current === 'number' ? current : Number.NaN;
  const { low, high, step } = sliderRange(spec, number);
  const take = (written: string): void => {
    const trimmed = written.trim();
    const read = Number(trimmed);
    if (trimmed === '') onChange(spec.isNullable === true ? null : undefined);
    else onChange(Number.isNaN(read) ? trimmed : read); // the engine says what is wrong with a text
  };
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <Heading {...{ spec, value, onChange, id }} />
      <input
        type="range"
        aria-label={`${shownName(spec.name)}, slider`}
        min={low}
        max={high}
        step={step}
        value={Number.isNaN(number) ? low : number}
        onInput={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <input
        id={id}
        type="text"
        inputMode="decimal"
        value={text(current)}
        placeholder={spec.isNullable === true ? 'off' : ''}
        aria-invalid={problem ? 'true' : undefined}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
      {problem && <small class="problem">{problem}</small>}
    </div>
  );
}

/** Where a slider begins and ends: at the bounds, or around the value where there are none. */
function sliderRange(spec: FieldSpec, value: number) {
  const standard = typeof spec.default === 'number' ? spec.default : 0;
  const largest = Math.max(Math.abs(standard), Number.isFinite(value) ? Math.abs(value) : 0) || 1;
  const isWhole = spec.kind === 'integer';
  const low = spec.min ?? spec.above ?? Math.min(0, value, standard);
  const bound = spec.max ?? spec.below ?? Number.POSITIVE_INFINITY;
  // A bound far beyond the usual values would leave these on the first pixel.
  const high = Math.max(Math.min(bound, isWhole && bound <= 1_000 ? bound : REACH * largest), low + (isWhole ? 1 : 0));
  const step = isWhole ? 1 : Number(((high - low) / STEPS).toPrecision(1)) || 0.01;
  const isOpen = spec.min === undefined && spec.above !== undefined && !isWhole;
  return { low: isOpen ? low + step : low, high, step };
}

function BooleanField({ spec, value, onChange }: FieldProps) {
  const id = useId();
  const current = value === undefined ? spec.default : value;
  return (
    <div class="field flag">
      <Heading {...{ spec, value, onChange, id }} />
      <input
        id={id}
        type="checkbox"
        checked={current === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </div>
  );
}

function ChoiceField({ spec, value, onChange }: FieldProps) {
  const id = useId();
  const current = value === undefined ? spec.default : value;
  return (
    <div class="field">
      <Heading {...{ spec, value, onChange, id }} />
      <select id={id} value={text(current)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {spec.isNullable === true && <option value="">off</option>}
        {spec.choices?.map((choice) => (
          <option value={choice}>{choice}</option>
        ))}
      </select>
    </div>
  );
}

/** Text that is no JSON stays a text: the engine says what is wrong with it. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What has no form of its own is written as JSON. */
function JsonField({ spec, value, onChange, problem }: FieldProps) {
  const id = useId();
  const current = value === undefined ? spec.default : value;
  const take = (written: string): void => {
    if (written.trim() === '') onChange(spec.isNullable === true ? null : undefined);
    else onChange(spec.kind === 'text' ? written : readJson(written));
  };
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      <Heading {...{ spec, value, onChange, id }} />
      <input
        id={id}
        class="wide"
        type="text"
        value={text(current)}
        onChange={({ currentTarget }) => take(currentTarget.value)}
      />
      {problem && <small class="problem">{problem}</small>}
    </div>
  );
}
