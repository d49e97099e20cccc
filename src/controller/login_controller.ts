/** DOOR 2, logins of pages, and who the caller is. */
import { Controller, Param } from '@midwayjs/core';
import { invalidField } from '../errors';
import { InjectService } from '../inject_service';
import type { AuthService } from '../service/auth/auth_service';
import { type LoginService, loginId, type StartedLogin } from '../service/auth/login_service';
import type { PasswordLogin } from '../service/auth/password_login';
import type { Slot } from '../utils/slot';
import { decode, decodeId } from '../wire/decode';
import { readDeviceCookie } from '../wire/login_cookie';
import { toWireCaller, toWireLogin } from '../wire/wire_keys';
import { anyBodyOf, bodyOf, encodePage, loginClientOf, principalOf, queryOf } from './http_request';
import { listOrPage } from './list_pages';
import { removeLoginCookie, setLoginCookies } from './login_cookies';
import { done, page, RestController, routesWith } from './route';
import { ListQuery } from './schemas/common';
import { LoginRequest, LogoutRequest } from './schemas/key_schemas';

const { Get, Post, Delete } = routesWith({ tag: 'keys' });

@Controller('/api/v1')
export class LoginController extends RestController {
  @InjectService() authService!: AuthService;
  @InjectService() loginService!: LoginService;
  @InjectService() passwordLogin!: Slot<PasswordLogin>;

  @Post('/login', 'logIn', {
    scope: 'open',
    summary: { en: 'Exchange an API key, or e-mail and password, for a cookie', 'zh-CN': '用 API 密钥或邮箱和密码换取 cookie' },
    description: {
      en: 'For pages of the gateway: a page of another origin is refused. The cookie is HttpOnly and SameSite=Strict, and lives for 12 hours. A person gets the cookie neta_device too, which logs nobody in: wrong passwords from elsewhere do not refuse a browser that shows it.',
      'zh-CN':
        '供网关自己的页面使用，其他源的页面会被拒绝。cookie 带 HttpOnly 和 SameSite=Strict，有效 12 小时。此人还会得到 cookie neta_device，它本身不能登录：带有它的浏览器不会因别处输错的密码而被拒绝。',
    },
    body: LoginRequest,
    answers: done('Me'),
    errors: ['unauthenticated', 'forbidden', 'rate_limited', 'store_unavailable'],
  })
  async logIn() {
    const login = await this.startLogin();
    setLoginCookies(this.ctx, login);
    this.ctx.status = 200;
    return toWireCaller(login.identity.principal, true);
  }

  @Post('/logout', 'logOut', {
    scope: 'any',
    beforeSecondFactor: true,
    summary: { en: 'End the login', 'zh-CN': '退出登录' },
    description: {
      en: 'Ends the login of the cookie, or with everywhere all logins with its key; their sockets and event streams end at once.',
      'zh-CN': '结束该 cookie 的登录；带 everywhere 时结束用此密钥的所有登录。它们的 socket 和事件流立即结束。',
    },
    body: LogoutRequest,
    answers: { 204: { description: { en: 'Logged out', 'zh-CN': '已退出' } } },
    errors: ['store_unavailable'],
  })
  async logOut() {
    const { everywhere = false } = decode(LogoutRequest, anyBodyOf(this.ctx) ?? {});
    // The cookie goes first: the answer must reach the page although its connections end.
    removeLoginCookie(this.ctx);
    this.ctx.status = 204;
    await this.loginService.logOut(this.ctx.state.identity, everywhere);
  }

  @Get('/me', 'getCaller', {
    guests: 'anywhere',
    scope: 'any',
    beforeSecondFactor: true,
    summary: { en: 'Read who the caller is', 'zh-CN': '读取调用方的身份' },
    answers: done('Me'),
  })
  async me() {
    return toWireCaller(principalOf(this.ctx), this.authService.isLocked);
  }

  @Get('/me/logins', 'listLogins', {
    scope: 'any',
    beforeSecondFactor: true,
    summary: { en: 'List where the caller is logged in', 'zh-CN': '列出调用方的登录' },
    answers: page('Login'),
    query: ListQuery,
  })
  async logins() {
    const { identity } = this.ctx.state;
    const logins = this.loginService.listLogins(identity);
    return encodePage(listOrPage(logins, queryOf(this.ctx, ListQuery), loginId), login => toWireLogin(login, identity.tokenHash));
  }

  @Delete('/me/logins/:id', 'endLogin', {
    scope: 'any',
    beforeSecondFactor: true,
    summary: { en: 'End one login of the caller', 'zh-CN': '结束调用方的一个登录' },
    answers: { 204: { description: { en: 'Logged out there', 'zh-CN': '已在该处退出' } } },
    errors: ['store_unavailable'],
  })
  async endLogin(@Param('id') id: string) {
    await this.loginService.endLogin(this.ctx.state.identity, decodeId(id));
    this.ctx.status = 204;
  }

  private startLogin(): Promise<StartedLogin> {
    const { key, email, password, code } = bodyOf(this.ctx, LoginRequest);
    const client = loginClientOf(this.ctx);
    if (key !== undefined) return this.loginService.logIn(key, client);
    const device = readDeviceCookie(this.ctx.get('cookie'));
    if (email !== undefined && password !== undefined)
      return this.passwordLogin.current.logIn({ email, password, code, device, ...client });
    throw invalidField('/key', 'is needed, or email and password.', '为必填项，或者填写 email 和 password。');
  }
}
