// Runs before the first paint, so that a chosen theme or language does not flash in late. Keys: src/platform/preferences.ts.
(() => {
  try {
    const theme = localStorage.getItem('neta.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    const locale = localStorage.getItem('neta.locale') ?? navigator.language;
    document.documentElement.lang = locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
  } catch {
    // Storage can be forbidden; the page then follows the system.
  }
})();
