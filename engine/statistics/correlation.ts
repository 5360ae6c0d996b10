/** Pearson's correlation; 0 where either side does not vary. */
export function correlation(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    xx += (xs[i] - x) ** 2;
    yy += (ys[i] - y) ** 2;
    xy += (xs[i] - x) * (ys[i] - y);
  }
  const product = Math.sqrt(xx) * Math.sqrt(yy);
  return product > 0 ? xy / product : 0;
}
