/** Errors of the addresses that a login provider leads a browser to: a small page for people, JSON for programs. */
import type { DoorForm } from '../../controller/door_form';
import { localeOf } from '../../controller/http_request';
import { toWireError } from '../../errors';
import { wayToRoot } from '../../utils/base_path';
import { htmlPage } from '../../utils/html_page';

const TEXTS = {
  en: { title: 'You are not logged in', back: 'Go to the login' },
  'zh-CN': { title: '未能登录', back: '前往登录' },
};
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const authForm: DoorForm = {
  isFor: path => /^\/auth\//i.test(path),
  toBody(ctx, error, requestId) {
    const locale = localeOf(ctx, 'en');
    ctx.set('content-language', locale);
    const body = { error: toWireError(error, requestId, locale) };
    // JSON comes first, because programs often accept any type.
    if (ctx.method !== 'GET' || ctx.accepts('json', 'html') !== 'html') return body;
    const { title, back } = TEXTS[locale];
    const text = body.error.message.replace(/[&<>"]/g, sign => ENTITIES[sign] ?? sign);
    const root = wayToRoot(ctx.path);
    ctx.type = 'html';
    const main = `      <img src="${root}favicon.svg" alt="" width="52" height="52" />
      <h1>${title}</h1>
      <p data-testid="login-refused">${text}</p>
      <p><a class="primary" href="${root}">${back}</a></p>`;
    return htmlPage({ locale, title, main, path: ctx.path });
  },
};
