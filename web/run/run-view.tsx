import type { ViewProps } from '../shell/views.js';

export function RunView(_: ViewProps) {
  return <p>Run</p>;
}
