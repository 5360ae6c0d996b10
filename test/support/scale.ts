/** True in `npm run soak`: the same properties at full counts. */
export const soak = process.env.BARLINE_SOAK === '1';

/** How often to run a property: `quick` in `npm test`, `full` in `npm run soak`. */
export const runs = (quick: number, full: number): number => (soak ? full : quick);
