import { useId } from 'preact/hooks';

/** A condition in the formula language. */
export function FormulaField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class="field-name">
        when
      </label>
      <textarea
        id={id}
        class="wide"
        rows={2}
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
