const colours = [1, 2, 3, 4, 5, 6].map((k) => `var(--run${k})`);

/** Areas that cover what lies below them, since each is painted over a taller one. */
const weights = [...colours, 'var(--band)']
  .map(
    (colour, k) =>
      `.stretch path.weight${k + 1}{stroke:var(--bg);stroke-width:.6;fill:color-mix(in srgb,${colour} 72%,var(--bg))}.sign.weight${k + 1}{border-top:9px solid color-mix(in srgb,${colour} 72%,var(--bg))}`,
  )
  .join('\n');

/** CSS of the charts and tables of a portfolio, beside the colours of heat maps. */
export const portfolioStyle = `.stretch path.run7{stroke:var(--benchmark)}.run7{--c:var(--benchmark)}
${weights}
.members{width:100%;min-width:44rem}.members thead th{text-align:right}.members thead th:first-child,.members thead th.text{text-align:left}.members th[scope=row]{white-space:nowrap}
.meter-cell{width:14%;min-width:5rem}.bar{display:block;height:10px;background:var(--faint)}.bar i{display:block;height:100%}
.bar.won i{background:var(--gain)}.bar.lost i{background:repeating-linear-gradient(45deg,var(--loss) 0 2px,transparent 2px 4px);border:1px solid var(--loss)}
.corr{border-collapse:separate;border-spacing:2px;font-size:12.5px}.corr th,.corr td{border:0;text-align:center;padding:4px 6px;min-width:3.6em;white-space:nowrap}
.corr th{font-weight:400;color:var(--muted)}.corr tbody th{text-align:right;position:sticky;left:0;background:var(--bg);z-index:1}
.corr td.hot{background:rgb(var(--hot)/var(--a))}.corr td.cold{background:rgb(var(--cold)/var(--a))}.corr td.self,.corr td.none{background:var(--faint);color:var(--muted)}
.plan{max-height:28rem;overflow:auto;border:1px solid var(--line);border-radius:6px;padding:10px 12px;margin-top:6px}
@media print{.plan{max-height:none}.members{min-width:0}}`.replaceAll('\n', '');
