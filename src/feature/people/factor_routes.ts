/** DOOR 2, what a person proves itself with beside the password: authenticator apps and passkeys. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, loginClientOf, pageOf, principalOf, queryOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { setLoginCookies } from '../../controller/login_cookies';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { PAGE_QUERY } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import { toWireCaller } from '../../wire/wire_keys';
import type { FactorList } from './factor/factor_list';
import type { PasskeyPage, PasskeyService } from './factor/passkey_service';
import type { TotpService } from './factor/totp_service';
import { BegunTotp, Factor, NewPasskey, PasskeyLogin, PasskeyStep, RecoveryCodes, SignIn, TotpCode } from './factor_schemas';
import type { PeopleServices } from './services';
import { toWireFactor, toWireSignIn } from './wire_people';

const TAG = { name: 'people', description: { en: 'People with accounts, and their roles.', 'zh-CN': '拥有账户的人及其角色。' } };
const { Get, Post, Delete } = routesWith({ scope: 'any', tag: TAG });
const { Post: OpenPost } = routesWith({ scope: 'open', tag: TAG });
const { Delete: AdminDelete } = routesWith({ scope: 'admin', tag: TAG });
const PageQuery = closedObject(PAGE_QUERY);
const FACTOR = named('Factor', Factor);
const STEP = named('PasskeyStep', PasskeyStep);
const REMOVED = { 204: { description: { en: 'Removed', 'zh-CN': '已移除' } } };

@Controller('/api/v1')
export class FactorController extends RestController {
  @InjectService<PeopleServices>() factorList!: FactorList;
  @InjectService<PeopleServices>() totpService!: TotpService;
  @InjectService<PeopleServices>() passkeyService!: PasskeyService;

  @Get('/me/factors', 'listFactors', {
    beforeSecondFactor: true,
    summary: { en: 'List the authenticator app and the passkeys of the caller', 'zh-CN': '列出调用方的验证器应用和通行密钥' },
    query: PageQuery,
    answers: page(FACTOR),
  })
  async list() {
    const factors = await this.factorList.listOf(this.ctx.state.identity);
    return encodePage(
      pageOfList(factors, pageOf(queryOf(this.ctx, PageQuery)), ({ id }) => id),
      toWireFactor,
    );
  }

  @Get('/me/sign-ins', 'listSignIns', {
    summary: { en: 'List the last sign-ins of the caller, newest first', 'zh-CN': '列出调用方最近的登录记录，最新的在前' },
    query: PageQuery,
    answers: page(named('SignIn', SignIn)),
  })
  async signIns() {
    const signIns = await this.factorList.listSignIns(this.ctx.state.identity);
    return encodePage(
      pageOfList(signIns, pageOf(queryOf(this.ctx, PageQuery)), ({ id }) => id),
      toWireSignIn,
    );
  }

  @Post('/me/totp', 'beginTotp', {
    beforeSecondFactor: true,
    summary: { en: 'Make the secret of an authenticator app', 'zh-CN': '创建验证器应用的密钥' },
    description: {
      en: 'Counts once /me/totp/confirm has seen a code. For a person who is logged in with a password.',
      'zh-CN': '在 /me/totp/confirm 收到验证码后生效。供以密码登录的人使用。',
    },
    answers: done(named('BegunTotp', BegunTotp)),
    errors: ['forbidden', 'invalid_request', 'store_unavailable'],
  })
  async beginTotp() {
    const begun = await this.totpService.begin(this.ctx.state.identity);
    return this.answerSecret(begun);
  }

  @Post('/me/totp/confirm', 'confirmTotp', {
    beforeSecondFactor: true,
    summary: {
      en: 'Confirm an authenticator app by its code: logins need one from now on',
      'zh-CN': '用验证码确认验证器应用：此后登录需要验证码',
    },
    description: {
      en: 'This login goes on; all other logins of the person, which began without a code, end with their sockets and event streams.',
      'zh-CN': '当前登录继续有效；此人的其他登录在开始时没有验证码，会连同其 socket 和事件流一起结束。',
    },
    body: TotpCode,
    answers: done(named('RecoveryCodes', RecoveryCodes)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async confirmTotp() {
    const { code } = bodyOf(this.ctx, TotpCode);
    const recoveryCodes = await this.totpService.confirm(this.ctx.state.identity, code, loginClientOf(this.ctx));
    return this.answerSecret({ recoveryCodes });
  }

  @Post('/me/totp/remove', 'removeTotp', {
    beforeSecondFactor: true,
    summary: { en: 'Remove the authenticator app, by a code of it or a recovery code', 'zh-CN': '用验证码或恢复码移除验证器应用' },
    body: TotpCode,
    answers: REMOVED,
    errors: ['forbidden', 'store_unavailable'],
  })
  async removeTotp() {
    await this.totpService.remove(this.ctx.state.identity, bodyOf(this.ctx, TotpCode).code, loginClientOf(this.ctx));
    this.ctx.status = 204;
  }

  @AdminDelete('/people/:id/totp', 'removeTotpOfPerson', {
    summary: { en: 'Take away the authenticator app of a person who has lost it', 'zh-CN': '移除某人丢失的验证器应用' },
    answers: REMOVED,
    errors: ['forbidden', 'store_unavailable'],
  })
  async removeTotpOf(@Param('id') id: string) {
    await this.totpService.removeOf(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Post('/me/passkeys/options', 'beginPasskey', {
    summary: { en: 'Begin to add a passkey', 'zh-CN': '开始添加通行密钥' },
    answers: done(STEP),
    errors: ['forbidden', 'invalid_request'],
  })
  async beginPasskey() {
    return this.answerSecret(await this.passkeyService.beginAdding(this.ctx.state.identity, this.page));
  }

  @Post('/me/passkeys', 'addPasskey', {
    summary: { en: 'Add a passkey with the answer of the device', 'zh-CN': '用设备的回答添加通行密钥' },
    body: NewPasskey,
    answers: { 201: { description: { en: 'The passkey', 'zh-CN': '通行密钥' }, json: FACTOR } },
    errors: ['forbidden', 'quota_exceeded', 'store_unavailable'],
  })
  async addPasskey() {
    const { step, name = 'Passkey', response } = bodyOf(this.ctx, NewPasskey);
    const given = { step, name, response };
    const factor = await this.passkeyService.add(this.ctx.state.identity, this.page, given, loginClientOf(this.ctx));
    this.ctx.status = 201;
    return toWireFactor(factor);
  }

  @Delete('/me/passkeys/:id', 'removePasskey', {
    summary: { en: 'Remove a passkey', 'zh-CN': '移除通行密钥' },
    answers: REMOVED,
    errors: ['forbidden', 'store_unavailable'],
  })
  async removePasskey(@Param('id') id: string) {
    await this.passkeyService.remove(this.ctx.state.identity, decodeId(id), loginClientOf(this.ctx));
    this.ctx.status = 204;
  }

  @OpenPost('/login/passkey/options', 'beginPasskeyLogin', {
    summary: { en: 'Begin a login with a passkey', 'zh-CN': '开始用通行密钥登录' },
    answers: done(STEP),
    errors: ['forbidden', 'invalid_request'],
  })
  async beginPasskeyLogin() {
    return this.answerSecret(await this.passkeyService.beginLogin(this.page));
  }

  @OpenPost('/login/passkey', 'logInWithPasskey', {
    summary: { en: 'Log in with the answer of a passkey', 'zh-CN': '用通行密钥的回答登录' },
    body: PasskeyLogin,
    answers: done('Me'),
    errors: ['unauthenticated', 'forbidden', 'rate_limited', 'store_unavailable'],
  })
  async logInWithPasskey() {
    const login = await this.passkeyService.logIn(this.page, bodyOf(this.ctx, PasskeyLogin), loginClientOf(this.ctx));
    setLoginCookies(this.ctx, login);
    return this.answerSecret(toWireCaller(login.identity.principal, true));
  }

  /** The guard of the doors has checked the name of the host. */
  private get page(): PasskeyPage {
    const { protocol, host } = this.ctx.state.publicAddress;
    const { origin, hostname } = new URL(`${protocol}://${host}`);
    return { origin, hostname };
  }

  private answerSecret<T>(body: T): T {
    this.ctx.set('cache-control', 'no-store');
    this.ctx.status = 200;
    return body;
  }
}
