import { useEffect, useState } from 'preact/hooks';
import type { RunState, StrategyJson } from './run-state.js';

interface JsonPanelProps {
  readonly state: RunState;
  readonly onChange: (state: RunState) => void;
  readonly onSay: (message: string) => void;
}

/** The strategy with its settings as JSON, as the command line and the service take it, both ways. */
export function JsonPanel({ state, onChange, onSay }: JsonPanelProps) {
  const written = JSON.stringify({ ...state.strategy, execution_config: state.settings }, null, 2);
  const [text, setText] = useState(written);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setText(written), [written]);
  const take = (next: string): void => {
    setText(next);
    try {
      const { execution_config: settings = {}, ...strategy } = JSON.parse(next) as StrategyJson & {
        execution_config?: Record<string, unknown>;
      };
      setProblem(null);
      onChange({ ...state, strategy, settings });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section class="panel" aria-label="JSON">
      <textarea
        class="json"
        spellcheck={false}
        aria-label="Strategy as JSON"
        value={text}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      {problem !== null && <p class="problem">{problem}</p>}
      <button
        type="button"
        onClick={() => navigator.clipboard.writeText(text).then(() => onSay('The JSON is in the clipboard.'))}
      >
        Copy
      </button>
    </section>
  );
}
