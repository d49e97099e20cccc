/** The page that lists the error codes. The `type` of problem details links to its rows. */
import { ERRORS } from '../errors';
import type { Locale } from '../port/store/sessions';
import { htmlPage } from '../utils/html_page';

const TEXTS = {
  en: { title: 'Errors', status: 'HTTP', retryable: 'A retry can help', meaning: 'Meaning', yes: 'yes', no: 'no' },
  'zh-CN': { title: '错误', status: 'HTTP', retryable: '重试是否有用', meaning: '含义', yes: '是', no: '否' },
};

/** Returns the page as HTML, styled by web/public/not_found.css. */
export function errorsPage(locale: Locale, path: string): string {
  const { title, status, retryable, meaning, yes, no } = TEXTS[locale];
  const rows = Object.entries(ERRORS).map(
    ([code, row]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${row.status}</td><td>${row.retryable ? yes : no}</td><td>${row.text[locale]}</td></tr>`,
  );
  const main = `      <h1>${title}</h1>
      <table>
        <thead><tr><th></th><th>${status}</th><th>${retryable}</th><th>${meaning}</th></tr></thead>
        <tbody>
          ${rows.join('\n          ')}
        </tbody>
      </table>`;
  return htmlPage({ locale, title, main, path });
}
