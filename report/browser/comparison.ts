import type { CurvesData } from '../page-data.js';
import { startCurves } from './curves.js';
import { pageData, startTheme } from './page.js';

startTheme();
const curves = pageData<CurvesData>();
if (curves !== null) startCurves(curves);
