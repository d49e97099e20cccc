/** The page that lists the error codes. The `type` of problem details links to its rows. */
import { ERRORS } from '../errors';
import type { Locale } from '../port/store/sessions';
import { wayToRoot } from '../utils/base_path';
import { htmlPage } from '../utils/html_page';

const TEXTS = {
  en: {
    title: 'Errors',
    docs: 'API reference',
    code: 'Code',
    status: 'HTTP',
    retryable: 'A retry can help',
    meaning: 'Meaning',
    yes: 'yes',
    no: 'no',
  },
  'zh-CN': {
    title: '错误',
    docs: 'API 文档',
    code: '错误码',
    status: 'HTTP',
    retryable: '重试是否有用',
    meaning: '含义',
    yes: '是',
    no: '否',
  },
};

/** Returns the page as HTML, styled by web/public/not_found.css. */
export function errorsPage(locale: Locale, path: string): string {
  const { title, docs, code: codeHeading, status, retryable, meaning, yes, no } = TEXTS[locale];
  const rows = Object.entries(ERRORS).map(
    ([code, row]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${row.status}</td><td>${row.retryable ? yes : no}</td><td>${row.text[locale]}</td></tr>`,
  );
  const main = `      <h1>${title}</h1>
      <p><a href="${wayToRoot(path)}docs">${docs}</a></p>
      <table>
        <thead><tr><th>${codeHeading}</th><th>${status}</th><th>${retryable}</th><th>${meaning}</th></tr></thead>
        <tbody>
          ${rows.join('\n          ')}
        </tbody>
      </table>`;
  return htmlPage({ locale, title, main, path });
}
