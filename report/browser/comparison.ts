import { startTheme } from './page.js';

startTheme();
