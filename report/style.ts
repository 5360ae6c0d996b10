const light = `--bg:#fff;--ink:#1a1f26;--muted:#59636e;--line:#dfe3e8;--faint:#f4f6f8;--strategy:#0b5cad;--benchmark:#727b86;--band:#a9b8c8;
--gain:#0b7544;--loss:#b3261e;--gain-rgb:11 117 68;--loss-rgb:179 38 30;--wash:.10;
--short:#8a3a9e;--run1:#0b5cad;--run2:#b0480c;--run3:#0b7544;--run4:#8a3a9e;--run5:#5d6470;--run6:#94670a;color-scheme:light`;

const dark = `--bg:#12161b;--ink:#e7eaee;--muted:#a0abb7;--line:#303943;--faint:#1b2128;--strategy:#74b4ff;--benchmark:#939eab;--band:#53606e;
--gain:#55c78f;--loss:#ff8d83;--gain-rgb:58 170 116;--loss-rgb:226 98 88;--wash:.16;
--short:#d79be6;--run1:#74b4ff;--run2:#ff9d5c;--run3:#55c78f;--run4:#d79be6;--run5:#b3bcc7;--run6:#e3b94f;color-scheme:dark`;

/** Light unless the reader's system or the theme button asks for dark. Paper is always light. */
const themes = `:root{${light}}
@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}
@media screen{:root[data-theme=dark]{${dark}}}`;

const text = `*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Liberation Sans",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:74rem;margin:0 auto;padding:0 clamp(14px,3vw,32px)}
header{padding-top:28px}
h1{font-size:clamp(24px,4vw,34px);line-height:1.15;letter-spacing:-.015em;margin:0;overflow-wrap:anywhere}
h2{font-size:19px;letter-spacing:-.005em;margin:0 0 4px}
h3{font-size:14px;margin:0}
header p,.note{color:var(--muted);margin:4px 0 0;max-width:80ch;overflow-wrap:anywhere}
.note{margin-bottom:12px}
section{padding:22px 0 24px;border-top:1px solid var(--line)}
main>section:first-child{border-top:0}
footer{color:var(--muted);font-size:13px;padding-top:14px;padding-bottom:40px;border-top:1px solid var(--line)}
small{display:block;font-size:12px;line-height:1.35;font-weight:400;color:var(--muted)}
code,pre{font:12px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.gain{color:var(--gain)}.loss{color:var(--loss)}
.notice{border-left:4px solid var(--loss);background:var(--faint);padding:10px 14px;margin:14px 0 0;max-width:90ch;overflow-wrap:anywhere}
.notice.plain{border-color:var(--strategy)}
.notice ul{margin:4px 0 0;padding-left:20px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:8px 40px;align-items:start}
[hidden]{display:none!important}
button,input{font:inherit;color:inherit}
.control{background:var(--bg);border:1px solid var(--muted);border-radius:6px;padding:5px 11px;min-height:34px;cursor:pointer;font-size:13px}
.control:hover:not(:disabled){background:var(--faint)}
.control:disabled{color:var(--muted);border-color:var(--line);cursor:default}
:focus-visible{outline:2px solid var(--strategy);outline-offset:2px}
#theme{float:right;margin:2px 0 8px 12px}
.controls{display:flex;flex-wrap:wrap;gap:6px;align-items:center;margin:10px 0}
.controls output{flex:1 1 20rem;color:var(--muted);font-size:13px}
input.control{width:6.5em;cursor:text}`;

const rules = `.rules{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0}
.rules dt{color:var(--muted);font-size:13px;padding-top:1px}.rules dd{margin:0;overflow-wrap:anywhere}
.rules ul{list-style:none;margin:0;padding:0}.rules li+li{margin-top:4px}.rules b{font-weight:600}
.rules em{font-style:normal;font-weight:600;color:var(--loss)}.own{padding:0 10px 4px 0}
@media(max-width:640px){.rules{grid-template-columns:1fr;gap:2px}.rules dd{margin-bottom:8px}}`;

const headline = `.headline{display:grid;grid-template-columns:repeat(4,1fr);gap:18px 24px;margin:0}
.headline dt{color:var(--muted);font-size:13px}
.headline dd{margin:0;font-size:25px;line-height:1.2;letter-spacing:-.01em;white-space:nowrap}
.headline dd small{letter-spacing:0;white-space:normal;margin-top:2px}
@media(max-width:640px){#theme{font-size:12px}header p{clear:both}.headline{grid-template-columns:1fr 1fr;gap:14px 12px}.headline dd{font-size:21px}}`;

const charts = `figure{margin:16px 0 0}
figcaption{display:flex;flex-wrap:wrap;gap:2px 20px;align-items:baseline;margin-bottom:8px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:0;padding:0;font-size:13px;color:var(--muted)}
.legend li{display:flex;align-items:center;gap:6px}
.sign{flex:none;width:18px;height:0;border-top:2px solid currentColor}
.sign.range{border-top:8px solid var(--band)}
.sign.strategy{border-top:3px solid var(--strategy)}.sign.close{border-top:1px solid var(--ink)}
.sign.benchmark{border-top:1px solid var(--benchmark)}
.sign.long{border-top:3px solid var(--strategy)}.sign.short{border-top:3px dashed var(--short)}
.sign.stop{border-top:2px solid var(--loss)}.sign.target{border-top:2px dashed var(--gain)}
.sign.win,.sign.lose{height:11px;width:14px;border:1px solid}
.sign.win{background:var(--gain);border-color:var(--gain)}
.sign.lose{border-color:var(--loss);background:repeating-linear-gradient(45deg,var(--loss) 0 1.5px,transparent 1.5px 4px)}
.sign.up,.sign.down,.sign.cross,.sign.sold,.sign.part,.sign.liquidated{width:auto;height:auto;border:0;font-style:normal;font-size:11px;line-height:1}
.sign.up::before{content:"\\25B2";color:var(--strategy)}.sign.sold::before{content:"\\25BC";color:var(--short)}.sign.part::before{content:"\\25C6";color:var(--gain)}.sign.liquidated::before{content:"\\2716";color:var(--loss);font-weight:700;font-size:15px}.sign.down::before{content:"\\25BC";color:var(--gain)}.sign.cross::before{content:"\\2715";color:var(--loss);font-weight:700}
.plot{padding:6px 6px 26px 62px}#curves .plot{padding-right:30px}
.plot svg{display:block;overflow:visible;width:100%}
.plot svg svg{width:auto;height:auto}.plot .stretch{width:100%;height:100%;overflow:hidden}
.s>.plot>svg{height:120px}.m>.plot>svg{height:230px}.l>.plot>svg{height:320px}
text{fill:var(--muted);font-size:12px}
text.y{text-anchor:end}text.x{text-anchor:middle}text.x.start{text-anchor:start}text.x.end{text-anchor:end}
.grid{stroke:var(--line)}.tick,.base{stroke:var(--muted)}.base{stroke-width:1}
.tick{transform:translateY(0);stroke-width:1}
.stretch path{fill:none;vector-effect:non-scaling-stroke;stroke-width:1.4;stroke-linejoin:round}
path.range{stroke:var(--band);stroke-width:1.2}
.stretch path.strategy{stroke:var(--strategy);stroke-width:2}.s .stretch path.strategy{stroke-width:1.3}.stretch path.close{stroke:var(--ink);stroke-width:.9}
.stretch path.long{stroke:var(--strategy);stroke-width:1.8}.stretch path.short{stroke:var(--short);stroke-width:1.8;stroke-dasharray:6 3}
.stretch path.benchmark{stroke:var(--benchmark);stroke-width:1}
text.end-note{text-anchor:end;paint-order:stroke;stroke:var(--bg);stroke-width:4px}text.end-note.strategy{fill:var(--strategy);font-weight:600}
.stretch path.fan-wide,.stretch path.fan-half{stroke:none;fill:var(--band);fill-opacity:.5}.stretch path.fan-half{fill-opacity:1}
.sign.fan-wide,.sign.fan-half{border-top:8px solid var(--band)}.sign.fan-wide{opacity:.5}
.window,.field{overflow:visible}.zoomed .window{overflow:hidden}
[id=zoom] small{flex:1 1 100%}.chart .plot[tabindex]{touch-action:pan-y;cursor:crosshair}
.cross{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3;pointer-events:none}.brush{fill:var(--strategy);fill-opacity:.18;pointer-events:none}
.told{flex:1 1 100%;min-height:1.4em;margin:0;font-size:12px;line-height:1.4;color:var(--muted);overflow-wrap:anywhere}
.stretch path.under{stroke:none;fill:rgb(var(--loss-rgb)/.25)}path.drawdown{stroke:var(--loss)}
line.stop,line.target{stroke-width:1.6}line.stop{stroke:var(--loss)}line.target{stroke:var(--gain);stroke-dasharray:4 2}
.mark path{fill:var(--strategy);stroke:var(--bg);stroke-width:.8}
.mark.short path{fill:var(--short)}.mark.part path{fill:var(--gain)}.mark.won path{fill:var(--gain)}.mark.lost path{fill:none;stroke:var(--loss);stroke-width:2}.mark.liquidated path{fill:none;stroke:var(--loss);stroke-width:3.5}
.stretch path.stop{stroke:var(--loss);stroke-width:1.6}.stretch path.target{stroke:var(--gain);stroke-width:1.6;stroke-dasharray:4 2}line.liquidation{stroke:var(--loss);stroke-dasharray:1 3;stroke-width:2}
[data-trade]{cursor:pointer}
rect.loss-slot{fill:var(--loss)}rect.win{fill:var(--gain)}rect.lose{fill:url(#hatch);stroke:var(--loss);stroke-width:1}
#hatch path{stroke:var(--loss);stroke-width:1.6}
rect.focus{fill:var(--strategy);fill-opacity:.2;stroke:var(--strategy);stroke-width:1}
.candle{stroke:var(--ink)}.stretch path.fall{fill:var(--ink)}.stretch path.rise{fill:var(--bg)}
.stretch path.wick,.stretch path.rise,.stretch path.fall{stroke:var(--muted);stroke-width:1}.stretch path.fall{fill:var(--muted)}
.stretch path.held{stroke:none;fill:var(--strategy);fill-opacity:.09}
ol.events{margin:10px 0 0;padding-left:2.2em;font-size:13px}ol.events li{padding:1px 0}ol.events time{color:var(--muted);display:inline-block;min-width:11.5em;padding-right:1em;font-variant-numeric:tabular-nums}
text.level{font-size:11px;fill:var(--ink);paint-order:stroke;stroke:var(--bg);stroke-width:3px}
.stretch path.run1{stroke:var(--run1)}.stretch path.run2{stroke:var(--run2);stroke-dasharray:7 3}.stretch path.run3{stroke:var(--run3);stroke-dasharray:2 2}.stretch path.run4{stroke:var(--run4);stroke-dasharray:9 3 2 3}.stretch path.run5{stroke:var(--run5);stroke-dasharray:12 4}.stretch path.run6{stroke:var(--run6);stroke-dasharray:4 2 1 2}
.run1{--c:var(--run1)}.run2{--c:var(--run2)}.run3{--c:var(--run3)}.run4{--c:var(--run4)}.run5{--c:var(--run5)}.run6{--c:var(--run6)}
.sign[class*=run]{border-top:3px solid var(--c)}text.end-label{fill:var(--c);font-weight:700}
@media(max-width:640px){ol.events{padding-left:1.6em}ol.events time{display:block}text.odd{display:none}#price .mark path{transform:scale(.65)}.l>.plot>svg{height:240px}.m>.plot>svg{height:190px}.plot{padding-left:54px}}`;

const tables = `table{border-collapse:collapse;font-size:13.5px}
th,td{padding:5px 10px;text-align:right;vertical-align:baseline;border-bottom:1px solid var(--line);position:relative}
th{font-weight:600;text-align:left}
thead th{background:var(--bg);vertical-align:bottom}
td.text,th.text{text-align:left}
caption{text-align:left;font-weight:600;padding:12px 0 6px}
.scroll{overflow:auto;max-width:100%;position:relative}
.tall{max-height:33rem;border:1px solid var(--line);border-radius:6px}
.tall td,.tall th{white-space:nowrap;padding:5px 8px}.tall table{font-size:13px;width:100%}
.tall thead th{position:sticky;top:0;z-index:1;box-shadow:inset 0 -1px var(--line)}
.tall thead button{all:unset;cursor:pointer;font-weight:600}
.tall thead button:focus-visible{outline:2px solid var(--strategy)}
.tall thead button::after{content:"\\2195";position:absolute;color:var(--muted);padding-left:1px;font-size:11px;font-weight:400}
th[aria-sort=ascending] button::after{content:"\\25B2"!important;color:var(--ink)!important}
th[aria-sort=descending] button::after{content:"\\25BC"!important;color:var(--ink)!important}
.tall thead th.number{text-align:right}.tall tr>:last-child{padding-right:16px}
.tall tbody button{all:unset;cursor:pointer;color:var(--strategy);text-decoration:underline;font-weight:600}
.tall tbody button:focus-visible{outline:2px solid var(--strategy)}
.tall tr.chosen>*{background:var(--faint)}
.trades{left:50%;box-sizing:content-box;width:max-content;min-width:calc(100% - 2px);max-width:calc(100vw - 34px);transform:translateX(-50%);scrollbar-gutter:stable}
.trades th:first-child{position:sticky;left:0;z-index:1;background:var(--bg)}.trades thead th:first-child{z-index:2}
.exits td{white-space:nowrap}.exits thead th:not(:first-child){text-align:right}#closeup .controls output{flex-basis:100%}
.pairs{width:100%}.pairs th{font-weight:400;max-width:34rem}.pairs td{overflow-wrap:anywhere}
.pairs td.long{text-align:left;width:72%}.figures td{white-space:nowrap}.own+.figures th{width:60%}.own+.figures td,.own+.figures td.long{white-space:normal;width:40%}
.months{width:100%;min-width:43rem}.months td{padding:5px 6px}
.months td.up{background:rgb(var(--gain-rgb)/var(--a))}.months td.down{background:rgb(var(--loss-rgb)/var(--a))}
.months td:last-child{font-weight:600;border-left:2px solid var(--line)}
.months thead th{text-align:right}.months thead th:first-child{text-align:left}
.funnel{width:100%;max-width:52rem}.funnel td:last-child{width:38%}
.meter{display:block;height:12px;background:var(--faint);border:1px solid var(--line);min-width:70px}
.meter i{display:block;height:100%;background:var(--strategy)}
.funnel tr.denied th{padding-left:28px;font-weight:400}.funnel tr.denied i{background:repeating-linear-gradient(45deg,var(--loss) 0 2px,transparent 2px 5px)}
.runs td,.runs th{white-space:nowrap}.runs th[scope=row]{position:sticky;left:0;background:var(--bg);z-index:1;font-weight:400}
.runs thead th{text-align:right}.runs thead th:first-child{text-align:left}
.runs td.best{font-weight:700;background:rgb(var(--gain-rgb)/var(--wash))}
.runs pre{text-align:right}
@media(max-width:640px){.runs th[scope=row]{max-width:38vw;white-space:normal}.tall{max-height:26rem}.funnel small{display:none}}`;

const paper = `@media screen{.paper-only{display:none}}
@page{margin:13mm}
@media print{body{font-size:10pt}header,main,footer{max-width:none;padding-left:0;padding-right:0}header{padding-top:0}
.control,.controls,#closeup,.focus{display:none!important}
.scroll,.tall{overflow:visible;max-height:none;border:0}.tall thead th{position:static;box-shadow:none}.tall thead button::after{content:none!important}
.tall tbody button{color:inherit;text-decoration:none}
.trades{left:0;width:auto;max-width:none;transform:none;scrollbar-gutter:auto}.trades th:first-child{position:static}.trades td.text{white-space:normal}
.tall table{font-size:6.2pt}.tall tr>*,.tall tr>:last-child{padding:1.5pt 2pt}.tall thead th{white-space:normal}
.months{min-width:0;font-size:7.5pt}.months td{padding:3pt 2pt}.months th{padding:3pt 2pt}
.runs{font-size:8pt}.runs td,.runs th{white-space:normal;padding:2pt 5pt}
.pairs{font-size:8.5pt}.pairs td,.pairs th{padding:2.5pt 6pt}.two{grid-template-columns:1fr 1fr;gap:4px 20px}
figure,tr,.headline,.notice,.funnel{break-inside:avoid}h2,h3,figcaption,.note{break-after:avoid}.months{break-inside:avoid}thead{display:table-header-group}
section{padding:10pt 0}.s>.plot>svg{height:90px}.m>.plot>svg{height:170px}.l>.plot>svg{height:230px}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
@media print{body{font-size:7.5pt;line-height:1.35}h1{font-size:16pt}h2{font-size:10pt;margin:0}h3,.legend,small,.note,.rules dt{font-size:7pt!important}
section{padding:4pt 0!important}figure{margin-top:4pt}figcaption{margin-bottom:2pt}.told{display:none}.plot{padding:3px 6px 18px 46px}.plot text{font-size:8px}
#performance,#outcomes{display:grid;grid-template-columns:1fr 1fr;gap:0 16px}#performance>h2,#performance>#equity,#outcomes>h2{grid-column:1/-1}
.s>.plot>svg{height:58px!important}.m>.plot>svg{height:105px!important}.l>.plot>svg{height:150px!important}
.headline{grid-template-columns:repeat(8,1fr);gap:4pt 8pt}.headline dd{font-size:10.5pt;white-space:normal}
table{font-size:7pt}th,td{padding:1.2pt 5pt}caption{padding:3pt 0 1pt}.months td,.months th{padding:1.5pt 2pt!important}.pairs td,.pairs th{padding:1pt 4pt!important}.pairs{font-size:6.6pt!important}
.tall tbody tr:nth-child(n+21){display:none}#metrics small,.own+.pairs small{display:none}
#metrics .pairs td,#metrics .pairs th{padding:.4pt 4pt!important}#configuration .pairs{font-size:5.2pt!important}#configuration .pairs td,#configuration .pairs th{padding:.2pt 4pt!important}#configuration pre{font-size:4.6pt;line-height:1.2}footer{font-size:6pt;padding:2pt 0}.headline dd small{font-size:6pt!important}#trades-note{display:none}.two{gap:2px 16px}}
@media(prefers-reduced-motion:reduce){html{scroll-behavior:auto}}`;

/** The style sheet of every page. Colours are variables, so both themes share all rules. */
export const style = [themes, text, rules, headline, charts, tables, paper].join('\n').replaceAll('\n', '');

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
