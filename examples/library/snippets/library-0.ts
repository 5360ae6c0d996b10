import { loadBars, rsi, runBacktest } from 'barline';
