/** Accounts at login providers that a person links with the own account. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, loginClientOf, pageOf, queryOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { PAGE_QUERY } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import { LOGIN_STEP_MS, type OidcLogin } from './provider/oidc_login';
import type { ProviderLinks } from './provider/provider_links';
import { toReturnPath } from './provider/return_path';
import { callbackUrlOf, setStep } from './provider/step_cookie';
import { OwnProvider, ProviderLinkRequest, ProviderPage } from './schemas';
import type { PeopleServices } from './services';
import { toWireOwnProvider } from './wire_people';

const TAG = { name: 'people', description: { en: 'People with accounts, and their roles.', 'zh-CN': '拥有账户的人及其角色。' } };
const { Get, Post, Delete } = routesWith({ scope: 'any', tag: TAG });
const PageQuery = closedObject(PAGE_QUERY);

@Controller('/api/v1/me/providers')
export class OwnProviderController extends RestController {
  @InjectService<PeopleServices>() providerLinks!: ProviderLinks;
  @InjectService<PeopleServices>() oidcLogin!: OidcLogin;

  @Get('/', 'listOwnProviders', {
    summary: {
      en: 'List the login providers of the tenant, and which the caller has linked',
      'zh-CN': '列出本租户的登录服务器及调用方已关联的',
    },
    query: PageQuery,
    answers: page(named('OwnProvider', OwnProvider)),
  })
  async list() {
    const providers = await this.providerLinks.listOf(this.ctx.state.identity);
    return encodePage(
      pageOfList(providers, pageOf(queryOf(this.ctx, PageQuery)), ({ id }) => id),
      toWireOwnProvider,
    );
  }

  @Post('/:id/link', 'linkProvider', {
    summary: { en: 'Begin to link an account at a login provider', 'zh-CN': '开始关联登录服务器上的账户' },
    description: {
      en: 'For a person who is logged in. The page opens `url`; the account with which the person logs in there is linked, and from then on opens this one. It counts as long as this login does.',
      'zh-CN': '供已登录的人使用。页面打开 `url`；此人在那里登录的账户会被关联，此后可用它登录此账户。仅在当前登录有效期间有效。',
    },
    body: ProviderLinkRequest,
    answers: done(named('ProviderPage', ProviderPage)),
    errors: ['forbidden', 'not_found', 'rate_limited', 'provider_unreachable'],
  })
  async link(@Param('id') provider: string) {
    const id = decodeId(provider);
    const { basePath, clientAddress: address } = this.ctx.state;
    const returnPath = toReturnPath(bodyOf(this.ctx, ProviderLinkRequest).returnTo, basePath, '/returnTo');
    const link = await this.providerLinks.begin(this.ctx.state.identity, id);
    const { url, step } = await this.oidcLogin.begin(id, { redirectUrl: callbackUrlOf(this.ctx, id), returnPath, link, address });
    setStep(this.ctx, step, LOGIN_STEP_MS);
    this.ctx.status = 200;
    return { url };
  }

  @Delete('/:id', 'unlinkProvider', {
    summary: {
      en: 'Take away the account at a login provider, unless it is the last way in',
      'zh-CN': '取消关联登录服务器上的账户，除非它是唯一的登录方式',
    },
    answers: { 204: { description: { en: 'Removed', 'zh-CN': '已移除' } } },
    errors: ['forbidden', 'not_found', 'store_unavailable'],
  })
  async unlink(@Param('id') id: string) {
    await this.providerLinks.unlink(this.ctx.state.identity, decodeId(id), loginClientOf(this.ctx));
    this.ctx.status = 204;
  }
}
