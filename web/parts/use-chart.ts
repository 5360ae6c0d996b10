import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * A chart in an element of the page: made when the element is there, disposed of with it.
 * @returns the place for the element, and the chart once it is made
 */
export function useChart<Chart extends { dispose(): void }>(
  create: (host: HTMLElement) => Chart,
): readonly [RefObject<HTMLDivElement | null>, Chart | null] {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  useEffect(() => {
    if (host.current === null) return;
    const made = create(host.current);
    setChart(made);
    return () => made.dispose();
  }, []);
  return [host, chart];
}
