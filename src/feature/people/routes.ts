/** DOOR 2, people with accounts: their list, invitations, roles, and the ways to log in. */
import { Controller, Param } from '@midwayjs/core';
import {
  bodyOf,
  encodePage,
  localeOf,
  loginClientOf,
  pageOf,
  principalOf,
  queryOf,
  sendExport,
  tenantOf,
} from '../../controller/http_request';
import { listOrPage, pageOfList } from '../../controller/list_pages';
import { setLoginCookies } from '../../controller/login_cookies';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { ListQuery, PAGE_QUERY } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { GUEST, GUEST_SCOPES, ROLES } from '../../port/roles';
import { isLoginOfPerson, type KeyRing } from '../../service/auth/key_ring';
import type { ServiceSettings } from '../../service/service_settings';
import { says } from '../../utils/bilingual';
import { closedObject, Optional } from '../../utils/schema_types';
import { assertScope } from '../../wire/assert_scope';
import { decodeId } from '../../wire/decode';
import { toWireCaller } from '../../wire/wire_keys';
import { isPasskeyHost } from './factor/passkey_service';
import type { LoginSettings } from './login/login_settings';
import type { PeopleMails } from './mail/people_mails';
import type { InvitationService, MadeLink } from './password/invitation_service';
import type { PeopleService } from './person/people_service';
import type { PersonPrivacy } from './person_privacy';
import type { RoleSettings } from './roles/role_settings';
import {
  AcceptRequest,
  Invitation,
  InvitationRequest,
  LoginWays,
  MadeInvitation,
  Person,
  PersonName,
  PersonPatch,
  RoleRow,
} from './schemas';
import type { PeopleServices } from './services';
import { toWireInvitation, toWirePerson } from './wire_people';

const TAG = { name: 'people', description: { en: 'People with accounts, and their roles.', 'zh-CN': '拥有账户的人及其角色。' } };
const PERSON = named('Person', Person);
const MADE = named('MadeInvitation', MadeInvitation);
const PageQuery = closedObject(PAGE_QUERY);
const RemoveQuery = closedObject({
  erase: Optional.String({ pattern: '^(true|false)$', ...says('true: what the person made goes, too', 'true 表示也删除此人创建的内容') }),
});

const { Get, Post, Patch, Delete } = routesWith({ scope: 'admin', tag: TAG });
const { Get: OpenGet, Post: OpenPost } = routesWith({ scope: 'open', tag: TAG });

@Controller('/api/v1')
export class PeopleController extends RestController {
  @InjectService<PeopleServices>() peopleService!: PeopleService;
  @InjectService<PeopleServices>() personPrivacy!: PersonPrivacy;
  @InjectService<PeopleServices>() invitationService!: InvitationService;
  @InjectService<PeopleServices>() peopleMails!: PeopleMails;

  @Get('/people', 'listPeople', {
    summary: { en: 'List the people of the tenant, oldest first', 'zh-CN': '列出本租户的人，最早的在前' },
    query: PageQuery,
    answers: page(PERSON),
  })
  async list() {
    const people = await this.peopleService.listPeople(tenantOf(this.ctx));
    return encodePage(
      pageOfList(people, pageOf(queryOf(this.ctx, PageQuery)), ({ id }) => id),
      toWirePerson,
    );
  }

  @Get('/people/names', 'listPeopleNames', {
    scope: 'chat:read',
    summary: { en: 'List the handles and names of the people of the tenant', 'zh-CN': '列出本租户中人的标识和姓名' },
    description: {
      en: 'For pages that show who wrote a message, or offer people to share a chat with.',
      'zh-CN': '供页面显示消息的作者，或选择要共享对话的人。',
    },
    query: ListQuery,
    answers: page(named('PersonName', PersonName)),
  })
  async names() {
    const people = await this.peopleService.listNames(tenantOf(this.ctx));
    return encodePage(
      listOrPage(people, queryOf(this.ctx, ListQuery), ({ id }) => id),
      ({ handle, name }) => ({ handle, name }),
    );
  }

  @Patch('/people/:id', 'updatePerson', {
    summary: { en: 'Change the name or role of a person, disable or enable the account', 'zh-CN': '更改姓名或角色，停用或启用账户' },
    body: PersonPatch,
    answers: done(PERSON),
    errors: ['forbidden', 'store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const change = bodyOf(this.ctx, PersonPatch);
    return toWirePerson(await this.peopleService.updatePerson(principalOf(this.ctx), decodeId(id), change));
  }

  @Delete('/people/:id', 'removePerson', {
    summary: { en: 'Remove a person; with erase=true also what the person made', 'zh-CN': '删除一个人；erase=true 时也删除其创建的内容' },
    query: RemoveQuery,
    description: {
      en: 'Logins end at once; name, e-mail and password are deleted. What the person made stays without erase=true; with it, chats, jobs, prompts and the like go too, and their texts leave the file of the database within a minute. The handle stays in runs and in the audit log, and nobody else gets it.',
      'zh-CN':
        '登录立即结束；姓名、电子邮件和密码会被删除。不带 erase=true 时，此人创建的内容会保留；带上时，对话、定时任务、提示词等一并删除，其文本在一分钟内离开数据库文件。标识保留在运行和审计日志中，不会再给别人。',
    },
    answers: { 204: { description: { en: 'The account is removed', 'zh-CN': '账户已删除' } } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async remove(@Param('id') id: string) {
    const { erase } = queryOf(this.ctx, RemoveQuery);
    if (erase === 'true') await this.personPrivacy.erasePerson(principalOf(this.ctx), decodeId(id));
    else await this.peopleService.removePerson(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/people/:id/export', 'exportPerson', {
    scope: 'any',
    summary: { en: 'Download everything of a person as JSON lines', 'zh-CN': '以 JSON 行的形式下载一个人的全部数据' },
    description: {
      en: 'The account, the chats that belong to the person, and what the person wrote elsewhere: jobs, prompts, ratings and the like. A person gets everything, by a login or by a key with chat; an admin gets of somebody else what the admin may see. The audit log records it.',
      'zh-CN':
        '账户、属于此人的对话，以及此人在别处写下的内容：定时任务、提示词、评价等。本人通过登录或带 chat 权限的密钥可得到全部；管理员导出他人数据时，只得到其有权查看的部分。会记入审计日志。',
    },
    answers: { 200: { description: { en: 'One thing a line', 'zh-CN': '每行一项' }, lines: 'ExportedItem' } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async export(@Param('id') id: string) {
    const { identity } = this.ctx.state;
    const { principal } = identity;
    const personId = decodeId(id);
    // A login gives people what is theirs, whatever their role; a key reads what its scopes let it read.
    if (!isLoginOfPerson(identity) && principal.person?.id === personId) assertScope(principal, ['chat:read', 'admin']);
    const { handle, items } = await this.personPrivacy.exportPerson(principal, personId);
    return sendExport(this.ctx, handle.slice(1), items);
  }

  @Post('/people/:id/password-link', 'makePasswordLink', {
    summary: { en: 'Make a one-time link with which a person sets a new password', 'zh-CN': '创建供此人设置新密码的一次性链接' },
    answers: { 201: { description: { en: 'The link works for a day', 'zh-CN': '链接一天内有效' }, json: MADE } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async passwordLink(@Param('id') id: string) {
    return this.answerLink(await this.invitationService.makePasswordLink(principalOf(this.ctx), decodeId(id)));
  }

  @Post('/invitations', 'createInvitation', {
    summary: { en: 'Invite a person', 'zh-CN': '邀请一个人' },
    description: {
      en: 'The link makes one account and works for seven days. The first account locks a gateway without keys: from then on every caller needs a key or a login.',
      'zh-CN': '链接可创建一个账户，七天内有效。没有密钥的网关会被第一个账户锁定：此后每个调用方都需要密钥或登录。',
    },
    body: InvitationRequest,
    answers: { 201: { description: { en: 'The link', 'zh-CN': '链接' }, json: MADE } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async invite() {
    return this.answerLink(await this.invitationService.invite(principalOf(this.ctx), bodyOf(this.ctx, InvitationRequest)));
  }

  private async answerLink({ invitation, token }: MadeLink) {
    const { publicAddress, basePath } = this.ctx.state;
    const { id, role, email, expiresAt } = toWireInvitation(invitation);
    const url = `${publicAddress.protocol}://${publicAddress.host}${basePath}/#invitation=${token}`;
    const mail = await this.peopleMails.sendLink(invitation, url);
    this.ctx.status = 201;
    this.ctx.set('cache-control', 'no-store');
    return { id, url, role, email, mail, expiresAt };
  }
}

@Controller('/api/v1')
export class AccountController extends RestController {
  @InjectService<PeopleServices>() invitationService!: InvitationService;
  @InjectService<PeopleServices>() loginSettings!: LoginSettings;
  @InjectService() keyRing!: KeyRing;
  @InjectService() serviceSettings!: ServiceSettings;

  @OpenGet('/invitations/:token', 'readInvitation', {
    summary: { en: 'Read what an invitation offers', 'zh-CN': '读取邀请的内容' },
    answers: done(named('Invitation', Invitation)),
    errors: ['not_found', 'store_unavailable'],
  })
  async invitation(@Param('token') token: string) {
    const { kind, role, email, expiresAt } = toWireInvitation(await this.invitationService.readInvitation(decodeId(token)));
    this.ctx.set('cache-control', 'no-store');
    return { kind, role, email, expiresAt };
  }

  @OpenPost('/invitations/:token', 'acceptInvitation', {
    summary: { en: 'Accept an invitation: the account exists and is logged in', 'zh-CN': '接受邀请：账户建立并登录' },
    body: AcceptRequest,
    answers: done('Me'),
    errors: ['not_found', 'forbidden', 'store_unavailable'],
  })
  async accept(@Param('token') token: string) {
    const accepted = { ...bodyOf(this.ctx, AcceptRequest), locale: localeOf(this.ctx, this.serviceSettings.defaultLocale) };
    const login = await this.invitationService.accept(decodeId(token), accepted, loginClientOf(this.ctx));
    setLoginCookies(this.ctx, login);
    this.ctx.status = 200;
    return toWireCaller(login.identity.principal, true);
  }

  @OpenGet('/login/ways', 'listLoginWays', {
    summary: { en: 'List the ways to log in', 'zh-CN': '列出登录方式' },
    answers: done(named('LoginWays', LoginWays)),
  })
  async ways() {
    const { allowsPasswords, providers } = this.loginSettings;
    const password = allowsPasswords && this.keyRing.hasPeople;
    const { hostname } = new URL(`http://${this.ctx.state.publicAddress.host}`);
    const passkey = password && isPasskeyHost(hostname);
    return { key: true, password, passkey, providers: providers.map(({ id, name }) => ({ id, name })) };
  }
}

@Controller('/api/v1/roles')
export class RolesController extends RestController {
  @InjectService<PeopleServices>() roleSettings!: RoleSettings;

  @Get('/', 'listRoles', {
    scope: 'any',
    summary: {
      en: 'List the roles with their scopes and their retention in the tenant',
      'zh-CN': '列出角色及其在本租户中的权限与保留天数',
    },
    query: PageQuery,
    answers: page(named('Role', RoleRow)),
  })
  async list() {
    const tenantId = tenantOf(this.ctx);
    const ofPeople = ROLES.map(role => {
      const keepDays = this.roleSettings.keepDaysOf(tenantId, role);
      return { role, scopes: [...this.roleSettings.scopesOf(tenantId, role)], ...(keepDays !== undefined && { keepDays }) };
    });
    const rows = [...ofPeople, { role: GUEST, scopes: [...GUEST_SCOPES] }];
    return encodePage(
      pageOfList(rows, pageOf(queryOf(this.ctx, PageQuery)), ({ role }) => role),
      row => row,
    );
  }
}
