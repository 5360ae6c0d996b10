const tokens = {
  light: '--hot:11 92 173;--cold:178 74 12;--quiet:150 158 168;--veil:rgb(255 255 255/.84)',
  dark: '--hot:60 130 220;--cold:205 100 40;--quiet:110 121 133;--veil:rgb(18 22 27/.84)',
} as const;

/** The colours of heat maps, for both themes. */
export const heatThemes = `:root{${tokens.light}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${tokens.dark}}}
@media screen{:root[data-theme=dark]{${tokens.dark}}}`;

/**
 * CSS that the page of a sweep adds to the common style. Blue is above zero and orange below, a
 * pair that colour-blind readers can tell apart.
 */
export const sweepStyle = `${heatThemes}
.datasets{width:100%;min-width:46rem}.datasets td{text-align:right}.datasets thead th{text-align:right;vertical-align:bottom}.datasets thead th:first-child{text-align:left}.datasets tbody th{white-space:nowrap}
.fold{border-top:1px solid var(--line);padding:8px 0}.fold summary,.folds-of>summary{cursor:pointer;font-weight:600}.folds-of{margin-top:22px}.folds-of>summary{padding-bottom:8px}.folds-of>.fold{margin-left:1.2em}.fold[open]{padding-bottom:18px}
.facts{list-style:none;margin:4px 0 0;padding:0;color:var(--muted)}
.leader h3{font-size:15px}.leader .note{margin-bottom:6px}.save a{color:inherit;text-decoration:none}.save code{overflow-wrap:anywhere}
.dataset{font-size:15px;margin:14px 0 0}.findings+.dataset,.scroll+.dataset{margin-top:40px}
.verdict{font-size:clamp(18px,2.2vw,22px);line-height:1.35;letter-spacing:-.005em;margin:8px 0 18px;max-width:46em;text-wrap:pretty}
.findings{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,30rem),1fr));gap:22px 40px}
.finding{border-top:1px solid var(--line);padding-top:12px}
.finding p{margin:4px 0 10px;max-width:62ch}
.finding dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.2rem,1fr));gap:8px 16px;margin:0}
.finding dt{font-size:12px;color:var(--muted);line-height:1.3}.finding dd{margin:0;font-weight:600;white-space:nowrap}
.finding dl div{display:flex;flex-direction:column}
#distribution figure+figure{margin-top:26px}.sign.plain{display:none}
rect.over-zero{fill:rgb(var(--hot)/.75)}rect.under-zero{fill:rgb(var(--cold)/.6)}
line.best{stroke:var(--ink);stroke-width:1.5}line.lucky{stroke:var(--loss);stroke-width:1.5;stroke-dasharray:4 3}
text.flag{paint-order:stroke;stroke:var(--bg);stroke-width:4px;font-weight:600}text.flag.left{text-anchor:end}text.flag.best{fill:var(--ink)}text.flag.lucky{fill:var(--loss)}
.controls label{display:inline-flex;align-items:center;gap:6px;font-size:13px;color:var(--muted);max-width:100%}
.controls{gap:8px 14px}.limit{display:inline-flex;flex-wrap:wrap;gap:8px}
select{font:inherit;color:inherit}select.control{color:var(--ink);max-width:17rem;min-width:0;padding-right:4px;text-overflow:ellipsis}
.heat{border-collapse:separate;border-spacing:2px;width:100%;table-layout:fixed;font-size:12.5px}
.heat caption{padding:4px 0 8px;font-weight:600}
.heat th,.heat td{border:0;padding:0;text-align:center;vertical-align:middle;height:30px;overflow:hidden;text-overflow:ellipsis}
.heat thead th{height:auto;font-weight:400;color:var(--muted);padding:0 1px 3px;overflow-wrap:anywhere;line-height:1.2}
.heat tbody th{font-weight:400;color:var(--muted);text-align:right;padding-right:8px;overflow-wrap:anywhere;line-height:1.2}
.heat .corner,.heat tbody th{width:var(--row-head,7.5rem)}
.heat td.hot{background:rgb(var(--hot)/var(--a))}.heat td.cold{background:rgb(var(--cold)/var(--a))}
.heat td.none{background:var(--faint);color:var(--muted)}
.heat td.best{outline:2px solid var(--ink);outline-offset:-2px;font-weight:700}
.heat td:focus-visible{outline:3px solid var(--strategy);outline-offset:-1px;z-index:1}
.heat.bare td{text-overflow:clip}.heat.bare td span{visibility:hidden}.heat.upright thead th{writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;white-space:nowrap;max-height:11rem;margin:auto;padding:3px 0 0}
.heat-key{display:flex;align-items:center;gap:8px;margin:8px 0 0;font-size:12px;color:var(--muted)}
.heat-key i{flex:0 1 14rem;height:10px;border:1px solid var(--line)}
.heat-key i.hot{background:linear-gradient(90deg,rgb(var(--hot)/.06),rgb(var(--hot)/.7))}
.heat-key i.cold{background:linear-gradient(90deg,rgb(var(--cold)/.7),rgb(var(--cold)/.06))}
.heat-key i.both{background:linear-gradient(90deg,rgb(var(--cold)/var(--low,.7)),rgb(var(--cold)/.06) var(--zero,50%),rgb(var(--hot)/.06) var(--zero,50%),rgb(var(--hot)/var(--high,.7)))}
#map output,#parallel output{display:block;min-height:1.5em;margin-top:6px;font-size:13px;color:var(--muted)}
.coords{position:relative;height:26rem;margin-top:6px;touch-action:pan-y}
.coords canvas{position:absolute;inset:0;width:100%;height:100%}
.axes>div{position:absolute;pointer-events:none}
.axes .line{background:var(--muted)}
.axes .grip{pointer-events:auto;cursor:ns-resize;touch-action:none}.tall-coords .axes .grip{cursor:ew-resize;touch-action:pan-y}
.axes .band{background:rgb(var(--hot)/.18);outline:1px solid var(--strategy)}
.axes .name,.axes .tick{font-size:12px;line-height:1.25;color:var(--ink);overflow-wrap:anywhere}
.axes .name{font-weight:600}.axes .name small{font-weight:400}
.axes .tick{font-size:11px;line-height:1.3;color:var(--ink);white-space:nowrap;background:var(--veil);padding:0 2px;border-radius:3px}.tall-coords .axes .name{background:var(--veil);padding:0 3px 0 0;border-radius:3px}
.chips{display:flex;flex-wrap:wrap;gap:4px 14px;padding:6px 0}.chip{font-size:13px;display:inline-flex;gap:5px;align-items:center}
details.control-row summary{cursor:pointer;font-size:13px;color:var(--muted)}
#coordinates:not([hidden])+.script-only{display:none}
.folds{width:100%;min-width:40rem}.folds thead th{text-align:right;vertical-align:bottom}.folds thead th:first-child,.folds thead th.span{text-align:left}
.folds .span{width:46%;min-width:14rem;padding:0 10px}.folds td.span{vertical-align:middle}.folds .strip{position:relative;display:block;height:12px}.folds .strip i{position:absolute;top:0;height:12px}
.folds i.train,.sign.train{background:var(--band)}.folds i.test,.sign.test{background:var(--strategy)}
.sign.train,.sign.test{height:10px;border:0}
.folds .axis{position:relative;display:block;height:1.4em;font-weight:400;font-size:12px;color:var(--muted)}.folds .axis span{position:absolute;white-space:nowrap}
.plan{max-height:28rem;overflow:auto;border:1px solid var(--line);border-radius:6px;padding:10px 12px;margin-top:6px}
@media(max-width:640px){.heat{--row-head:5.6rem}.heat th,.heat td{height:26px;font-size:11.5px}.finding dl{grid-template-columns:1fr 1fr}.controls label{display:grid;grid-template-columns:7.5rem 1fr;width:100%}select.control{max-width:none;width:100%}.limit{width:100%}.folds .axis .odd{display:none}}
@media print{.fold:not([open]),.folds-of:not([open]){display:none}.plan{max-height:none}.coords{height:260px;margin-top:18pt}.axes .name{font-size:6.5pt}.axes .tick{font-size:6pt}.findings{grid-template-columns:1fr 1fr;gap:8pt 20pt}.verdict{font-size:12pt}.finding,.leader{break-inside:avoid}.finding dl{grid-template-columns:repeat(3,1fr);gap:4pt 8pt}.finding dd{font-size:9pt}.best-runs td.text{white-space:normal}.folds{min-width:0;break-inside:avoid}#map output,#parallel output,details.control-row{display:none}}`.replaceAll(
  '\n',
  '',
);
