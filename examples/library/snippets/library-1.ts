import { loadBars } from 'barline';

const held = await loadBars({ asset: 'BTC', interval: '4h', start: '2024-01-01', end: '2024-06-30' });
const days = await loadBars({ columns: { time: ['2024-01-01', '2024-01-02'], open: [10, 11], high: [12, 12],
  low: [9, 10], close: [11, 10.5], volume: [5, 4] }, asset: 'XYZ' });
const rows = await loadBars({ rows: [
  { time: '2024-01-01T00:00Z', open: 10, high: 12, low: 9, close: 11 },
  { time: '2024-01-01T01:00Z', open: 11, high: 12, low: 10, close: 10.5 },
] });
console.log(held.barCount, days.intervalMs, rows.close);
