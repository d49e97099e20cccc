// Finds the root of the gateway, beside this file. Applies the chosen theme, density and language before the first paint, so that the page does not flash. Keys: src/platform/preferences.ts.
(() => {
  document.documentElement.dataset.root = new URL('.', document.currentScript.src).pathname;
  try {
    const theme = localStorage.getItem('neta.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    if (localStorage.getItem('neta.density') === 'compact') document.documentElement.dataset.density = 'compact';
    const locale = localStorage.getItem('neta.locale') ?? navigator.language;
    document.documentElement.lang = locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
  } catch {
    // Storage can be forbidden. The page then follows the system.
  }
})();
