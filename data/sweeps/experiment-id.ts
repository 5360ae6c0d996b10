/** `exp_20240131T235959123456Z`: UTC to the microsecond, so that ids sort by time. */
export function experimentIdAt(micros: number): string {
  const digits = new Date(Math.floor(micros / 1_000)).toISOString().replace(/[-:.]/g, '').slice(0, -4);
  return `exp_${digits}${String(micros % 1_000_000).padStart(6, '0')}Z`;
}

/** The id of an experiment that begins now. */
export const newExperimentId = (): string =>
  experimentIdAt(Math.floor((performance.timeOrigin + performance.now()) * 1_000));
