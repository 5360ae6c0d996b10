import { tradePaper } from './paper-trader.js';

/** `paper-process.ts HOME BARS`: trades on paper until so many bars are done, a dot for each. */
const [home, bars] = process.argv.slice(2) as [string, string];
await tradePaper({ home }, Number(bars), () => process.stdout.write('.'));
