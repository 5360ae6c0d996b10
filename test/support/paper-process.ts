import { tradePaper } from './paper-trader.js';

/**
 * `paper-process.ts HOME DATABASE_URL BARS`: trades on paper until so many bars are done, and prints
 * a dot for each. An empty URL is the embedded store of the home.
 */
const [home, url, bars] = process.argv.slice(2) as [string, string, string];
await tradePaper({ home, ...(url !== '' && { databaseUrl: url }) }, Number(bars), () => process.stdout.write('.'));
