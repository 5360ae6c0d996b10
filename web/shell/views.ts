import type { ComponentType } from 'preact';
import { SeriesView } from '../data/series-view.js';
import { RunView } from '../run/run-view.js';
import { RunsView } from '../runs/runs-view.js';

/** What a view gets: its part of the address. */
export interface ViewProps {
  readonly state: Readonly<Record<string, string>>;
}

interface ListedView {
  /** As in the address. */
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType<ViewProps>;
}

/** The views, in the order of the navigation. */
export const views: readonly ListedView[] = [
  { name: 'run', title: 'Run', View: RunView },
  { name: 'runs', title: 'Runs', View: RunsView },
  { name: 'data', title: 'Data', View: SeriesView },
];
