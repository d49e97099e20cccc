/** DOOR 2, logins of pages, and who the caller is. */
import { Controller } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { AuthService } from '../service/auth/auth_service';
import { LOGIN_LIFE_MS, type LoginService } from '../service/auth/login_service';
import { decode } from '../wire/decode';
import { toLoginCookie } from '../wire/login_cookie';
import { toWireCaller } from '../wire/wire_keys';
import { anyBodyOf, bodyOf, principalOf } from './http_request';
import { done, RestController, routesWith } from './route';
import { LoginRequest, LogoutRequest } from './schemas/key_schemas';

const { Get, Post } = routesWith({ tag: 'keys' });

@Controller('/api/v1')
export class LoginController extends RestController {
  @InjectService() authService!: AuthService;
  @InjectService() loginService!: LoginService;

  @Post('/login', 'logIn', {
    scope: 'open',
    summary: { en: 'Exchange an API key for a cookie', 'zh-CN': '用 API 密钥换取 cookie' },
    description: {
      en: 'For pages of the gateway: a page of another origin is refused. The cookie is HttpOnly and SameSite=Strict, and lives for 12 hours.',
      'zh-CN': '供网关自己的页面使用，其他源的页面会被拒绝。cookie 带 HttpOnly 和 SameSite=Strict，有效 12 小时。',
    },
    body: LoginRequest,
    answers: done('Me'),
    errors: ['unauthenticated', 'forbidden', 'rate_limited', 'store_unavailable'],
  })
  async logIn() {
    const { key } = bodyOf(this.ctx, LoginRequest);
    const { token, identity } = await this.loginService.logIn(key, this.ctx.state.clientAddress);
    this.setCookie(token, LOGIN_LIFE_MS);
    this.ctx.status = 200;
    return toWireCaller(identity.principal, true);
  }

  @Post('/logout', 'logOut', {
    scope: 'any',
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
    this.setCookie('', 0);
    this.ctx.status = 204;
    await this.loginService.logOut(this.ctx.state.identity, everywhere);
  }

  @Get('/me', 'getCaller', {
    scope: 'any',
    summary: { en: 'Read who the caller is', 'zh-CN': '读取调用方的身份' },
    answers: done('Me'),
  })
  async me() {
    return toWireCaller(principalOf(this.ctx), this.authService.isLocked);
  }

  private setCookie(value: string, maxAgeMs: number): void {
    const { basePath, publicAddress } = this.ctx.state;
    const isSecure = publicAddress.protocol === 'https';
    this.ctx.append('set-cookie', toLoginCookie(value, { maxAgeMs, isSecure, path: basePath || '/' }));
    this.ctx.set('cache-control', 'no-store');
  }
}
