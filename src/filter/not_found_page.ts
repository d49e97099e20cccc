/** The page that a browser shows for an address that does not exist. Programs get the error as JSON. */
import type { Context } from '@midwayjs/koa';
import { wayToRoot } from '../utils/base_path';
import { htmlPage } from '../utils/html_page';

const TEXTS = {
  en: { title: 'There is no such page', chat: 'Go to the chat', docs: 'API reference' },
  'zh-CN': { title: '没有这个页面', chat: '前往对话', docs: 'API 文档' },
};

/** Paths that only programs request. */
const PROGRAM_PATH = /^\/(?:api|v1|assets|socket\.io)\//;

/** Returns the page as HTML, styled by web/public/not_found.css; undefined unless a browser requests a page. */
export function notFoundPage(ctx: Context): string | undefined {
  const isPageRequest = (ctx.method === 'GET' || ctx.method === 'HEAD') && !PROGRAM_PATH.test(ctx.path);
  // JSON comes first, because programs often accept any type.
  if (!isPageRequest || ctx.accepts('json', 'html') !== 'html') return undefined;
  const language = ctx.acceptsLanguages('en', 'zh-CN', 'zh');
  const locale = language === 'zh' || language === 'zh-CN' ? 'zh-CN' : 'en';
  const { title, chat, docs } = TEXTS[locale];
  const root = wayToRoot(ctx.path);
  const main = `      <img src="${root}favicon.svg" alt="" width="52" height="52" />
      <h1>${title}</h1>
      <p><a class="primary" href="${root}">${chat}</a> <a href="${root}docs">${docs}</a></p>`;
  return htmlPage({ locale, title, main, path: ctx.path });
}
