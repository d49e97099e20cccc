/** The page that lists the error codes. The `type` of problem details links to its rows. */
import { ERRORS } from '../errors';
import type { Locale } from '../port/store/sessions';

const TEXTS = {
  en: { title: 'Errors', status: 'HTTP', retryable: 'A retry can help', meaning: 'Meaning', yes: 'yes', no: 'no' },
  'zh-CN': { title: '错误', status: 'HTTP', retryable: '重试是否有用', meaning: '含义', yes: '是', no: '否' },
};

/** Returns the page as HTML, styled by web/public/not_found.css. */
export function errorsPage(locale: Locale): string {
  const { title, status, retryable, meaning, yes, no } = TEXTS[locale];
  const rows = Object.entries(ERRORS).map(
    ([code, row]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${row.status}</td><td>${row.retryable ? yes : no}</td><td>${row.text[locale]}</td></tr>`,
  );
  return `<!doctype html>
<html lang="${locale}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Neta</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/not_found.css" />
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <table>
        <thead><tr><th></th><th>${status}</th><th>${retryable}</th><th>${meaning}</th></tr></thead>
        <tbody>
          ${rows.join('\n          ')}
        </tbody>
      </table>
    </main>
  </body>
</html>
`;
}
