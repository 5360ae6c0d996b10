import { closeupScript } from './client-closeup.js';
import { formatScript, tableScript } from './client-table.js';

/** The theme button: system, light, dark. Nothing is stored. */
export const themeScript = `
const themeButton = document.getElementById('theme');
const themes = ['system', 'light', 'dark'];
let theme = 0;
themeButton.hidden = false;
themeButton.addEventListener('click', () => {
  theme = (theme + 1) % themes.length;
  if (theme === 0) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themes[theme];
  themeButton.textContent = 'Theme: ' + themes[theme];
});
`;

/**
 * The script of every page. It adds comfort only: a page without it shows the same figures. Written as the browser runs
 * it, because a compiled function would carry the helpers of whatever compiled it.
 */
export const clientScript = `'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
${themeScript}
if (data === null) return;
${formatScript}${tableScript}
${closeupScript}
})();
`;
