/** Logins at OpenID Connect providers: the addresses to which a browser goes, and the one that a provider calls. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, localeOf, loginClientOf, queryOf } from '../../controller/http_request';
import { setLoginCookies } from '../../controller/login_cookies';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { invalidField } from '../../errors';
import { InjectService } from '../../inject_service';
import type { ServiceSettings } from '../../service/service_settings';
import { decodeId } from '../../wire/decode';
import { readForm } from './provider/form_body';
import { LOGIN_STEP_MS, type OidcLogin } from './provider/oidc_login';
import type { OidcLogout } from './provider/oidc_logout';
import { toReturnPath } from './provider/return_path';
import { callbackUrlOf, readStep, setStep } from './provider/step_cookie';
import { ProviderLoginQuery, ProviderLoginRequest, ProviderPage } from './schemas';
import type { PeopleServices } from './services';

const TAG = { name: 'people', description: { en: 'People with accounts, and their roles.', 'zh-CN': '拥有账户的人及其角色。' } };
const { Get, Post } = routesWith({ scope: 'open', tag: TAG });

@Controller('/auth')
export class ProviderLoginController extends RestController {
  @InjectService<PeopleServices>() oidcLogin!: OidcLogin;
  @InjectService<PeopleServices>() oidcLogout!: OidcLogout;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/:provider/start', 'openProviderLogin', {
    summary: { en: 'Go to the login page of a provider', 'zh-CN': '前往登录服务器的登录页' },
    description: {
      en: 'For the address bar of a browser. `return_to` is a path of this gateway, to which the browser comes back.',
      'zh-CN': '供浏览器打开。`return_to` 是此网关的路径，登录后浏览器回到那里。',
    },
    query: ProviderLoginQuery,
    answers: { 302: { description: { en: 'The page of the provider', 'zh-CN': '登录服务器的页面' } } },
    errors: ['invalid_request', 'not_found', 'rate_limited', 'provider_unreachable'],
  })
  async start(@Param('provider') provider: string) {
    const { return_to: path } = queryOf(this.ctx, ProviderLoginQuery);
    this.ctx.redirect(await this.begin(provider, toReturnPath(path, this.ctx.state.basePath, '/return_to')));
  }

  @Post('/:provider/start', 'beginProviderLogin', {
    summary: { en: 'Begin a login at a provider, also to accept an invitation', 'zh-CN': '开始在登录服务器登录，也可用于接受邀请' },
    description: {
      en: 'Sets the cookie of the login that has begun; the page then opens `url`. The token of an invitation stands in no address.',
      'zh-CN': '设置登录过程的 cookie，之后页面打开 `url`。邀请的令牌不会出现在任何地址中。',
    },
    body: ProviderLoginRequest,
    answers: done(named('ProviderPage', ProviderPage)),
    errors: ['forbidden', 'not_found', 'rate_limited', 'provider_unreachable'],
  })
  async beginFromPage(@Param('provider') provider: string) {
    const { returnTo, invitation } = bodyOf(this.ctx, ProviderLoginRequest);
    this.ctx.status = 200;
    return { url: await this.begin(provider, toReturnPath(returnTo, this.ctx.state.basePath, '/returnTo'), invitation) };
  }

  @Get('/:provider/callback', 'endProviderLogin', {
    takesAnyQuery: true,
    summary: { en: 'End a login at a provider', 'zh-CN': '完成在登录服务器的登录' },
    description: {
      en: 'The browser comes here from the page of the provider. The login counts in the browser that began it, once.',
      'zh-CN': '浏览器从登录服务器的页面回到这里。登录只在开始它的浏览器中有效，且只有一次。',
    },
    answers: { 302: { description: { en: 'Logged in; the path of `return_to`', 'zh-CN': '已登录；前往 `return_to` 的路径' } } },
    errors: ['unauthenticated', 'forbidden', 'not_found', 'provider_unreachable', 'store_unavailable'],
  })
  async callback(@Param('provider') provider: string) {
    const step = readStep(this.ctx);
    setStep(this.ctx, '', 0);
    const { login, returnPath } = await this.oidcLogin.finish(decodeId(provider), {
      search: this.ctx.search,
      step,
      client: loginClientOf(this.ctx),
      locale: localeOf(this.ctx, this.serviceSettings.defaultLocale),
    });
    // A link leaves the login as it is.
    if (login) setLoginCookies(this.ctx, login);
    this.ctx.redirect(returnPath);
  }

  @Post('/:provider/back-channel-logout', 'endProviderSession', {
    summary: { en: 'Tell that a session at a provider has ended', 'zh-CN': '通知登录服务器上的会话已结束' },
    description: {
      en: 'The provider sends a form with `logout_token`. The logins that began in that session end at once.',
      'zh-CN': '登录服务器发送包含 `logout_token` 的表单。由该会话开始的登录立即结束。',
    },
    upload: ['application/x-www-form-urlencoded'],
    answers: { 200: { description: { en: 'The logins have ended', 'zh-CN': '登录已结束' } } },
    errors: ['invalid_request', 'not_found', 'rate_limited', 'provider_unreachable', 'store_unavailable'],
  })
  async backChannelLogout(@Param('provider') provider: string) {
    // Reads the rest of this request, because the next request on the connection comes behind it.
    const form = await readForm(this.ctx.req).finally(() => this.ctx.req.resume());
    const [token, ...more] = form.getAll('logout_token');
    if (token === undefined || more.length > 0) throw invalidField('/logout_token', 'is needed, once.', '必填，且只能有一个。');
    await this.oidcLogout.end(decodeId(provider), token, this.ctx.state.clientAddress);
    this.ctx.set('cache-control', 'no-store');
    this.ctx.status = 200;
    this.ctx.body = '';
  }

  private async begin(provider: string, returnPath: string, invitation?: string): Promise<string> {
    const id = decodeId(provider);
    const { clientAddress: address } = this.ctx.state;
    const redirectUrl = callbackUrlOf(this.ctx, id);
    const { url, step } = await this.oidcLogin.begin(id, { redirectUrl, returnPath, invitation, address });
    setStep(this.ctx, step, LOGIN_STEP_MS);
    return url;
  }
}
