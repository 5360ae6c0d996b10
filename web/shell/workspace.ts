import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Session } from '../api/session.js';
import type { Engine } from '../engine/engine.js';
import type { HeldSeries } from '../engine/held-series.js';
import type { Catalogue } from '../engine/protocol.js';

/** What every view works with. */
interface Workspace {
  readonly session: Session;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  /** The series of the service, and those whose bars the page holds. */
  readonly series: HeldSeries;
  /** Shows a line for a few seconds. */
  readonly say: (message: string) => void;
}

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('the view is outside of the workbench');
  return workspace;
}
