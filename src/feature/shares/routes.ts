/** DOOR 2, links that show a chat to others, and the chats behind them. */

import { Controller, Param } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { bodyOf, encodePage, pageOf, principalOf, queryOf, sinceOf, tenantOf } from '../../controller/http_request';
import { listOrPage } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { ListQuery } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { GUEST } from '../../port/roles';
import { toIsoTime } from '../../utils/iso_time';
import { pageFile } from '../../utils/page_file';
import { decodeId } from '../../wire/decode';
import { MadeShare, Share, SharedChat, SharedHeaders, SharedQuery, ShareRequest, ShareWithChat } from './schemas';
import type { SharedChat as Shared, ShareService, ShareServices } from './share_service';
import type { ShareRecord } from './store/share_records';

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: 'sessions' });
const { Get: OpenGet } = routesWith({ scope: 'open', tag: 'sessions' });
const VIEWER = 'viewer';
const SHARED = named('SharedChat', SharedChat);

@Controller('/api/v1')
export class SharesController extends RestController {
  @InjectService<ShareServices>() shareService!: ShareService;

  @Post('/sessions/:id/shares', 'createShare', {
    session: 'own',
    summary: { en: 'Make a link that shows a chat', 'zh-CN': '创建展示对话的链接' },
    description: {
      en: 'The link shows the texts that the chat has now, read-only, to people of the tenant: no tool results, images or files. With the role guest, whoever has the link writes in the chat and sees all of it, until the link ends. The audit log records it.',
      'zh-CN':
        '链接向本租户的人只读展示对话现有的文字，不含工具结果、图片和文件。角色为 guest 时，拥有链接的任何人在链接失效之前可以在对话中写入，并看到全部内容。会记入审计日志。',
    },
    body: ShareRequest,
    answers: { 201: { description: { en: 'The link, with its address', 'zh-CN': '链接及其地址' }, json: named('MadeShare', MadeShare) } },
    errors: ['forbidden', 'quota_exceeded', 'store_unavailable'],
  })
  async create(@Param('id') id: string) {
    const { expiresAt, role: asked, public: wanted = false } = bodyOf(this.ctx, ShareRequest);
    const role = asked === GUEST ? asked : undefined;
    const input = {
      role,
      isPublic: wanted || role === GUEST,
      expiresAt: expiresAt === undefined ? undefined : sinceOf(expiresAt, 'expiresAt'),
    };
    const { share, token } = await this.shareService.createShare(principalOf(this.ctx), decodeId(id), input);
    this.ctx.status = 201;
    const { publicAddress, basePath } = this.ctx.state;
    return { ...toWireShare(share), url: `${publicAddress.protocol}://${publicAddress.host}${basePath}/shared#${token}`, token };
  }

  @Get('/sessions/:id/shares', 'listShares', {
    summary: { en: 'List the links of a chat', 'zh-CN': '列出对话的链接' },
    query: ListQuery,
    answers: page(named('Share', Share)),
  })
  async list(@Param('id') id: string) {
    const shares = await this.shareService.listShares(tenantOf(this.ctx), decodeId(id));
    return encodePage(
      listOrPage(shares, queryOf(this.ctx, ListQuery), share => share.id),
      toWireShare,
    );
  }

  @Get('/shares/:id', 'getShare', {
    summary: { en: 'Read a link by its id, and what it shows', 'zh-CN': '按 id 读取链接及其展示的内容' },
    query: SharedQuery,
    answers: done(named('ShareWithChat', ShareWithChat)),
  })
  async get(@Param('id') id: string) {
    keepPrivate(this.ctx);
    const { share, ...shown } = await this.shareService.getShare(tenantOf(this.ctx), decodeId(id), this.pageRequest());
    return { ...toWireShare(share), ...toWireShown(shown) };
  }

  @Delete('/shares/:id', 'revokeShare', {
    session: 'own',
    summary: { en: 'Revoke a link', 'zh-CN': '撤销链接' },
    answers: { 204: { description: { en: 'The link shows nothing any more', 'zh-CN': '链接不再显示任何内容' } } },
    errors: ['store_unavailable'],
  })
  async revoke(@Param('id') id: string) {
    await this.shareService.revokeShare(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/shared', 'getSharedChat', {
    summary: { en: 'Read a chat by its link', 'zh-CN': '通过链接读取对话' },
    headers: SharedHeaders,
    query: SharedQuery,
    answers: done(SHARED),
    errors: ['not_found'],
  })
  async shared() {
    keepPrivate(this.ctx);
    return toWireShared(await this.shareService.readShared(this.token, tenantOf(this.ctx), this.pageRequest()));
  }

  @OpenGet('/public/shared', 'getPublicSharedChat', {
    summary: { en: 'Read a chat by a link that needs no login', 'zh-CN': '通过免登录链接读取对话' },
    headers: SharedHeaders,
    query: SharedQuery,
    answers: done(SHARED),
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
  })
  async publicShared() {
    keepPrivate(this.ctx);
    return toWireShared(await this.shareService.readOpen(this.token, this.ctx.state.clientAddress, this.pageRequest()));
  }

  private get token(): string {
    return decodeId(this.ctx.get('x-share-token'));
  }

  private pageRequest() {
    return pageOf(queryOf(this.ctx, SharedQuery));
  }
}

@Controller('/')
export class SharedPageController extends RestController {
  @OpenGet('/shared', 'openSharedPage', {
    takesAnyQuery: true,
    summary: { en: 'Open the page of a link; its token stands behind #', 'zh-CN': '打开链接的页面；令牌在 # 之后' },
    answers: { 200: { description: { en: 'The page', 'zh-CN': '页面' }, bytes: ['text/html'] } },
    isDocument: true,
  })
  async open() {
    keepPrivate(this.ctx);
    this.ctx.type = 'html';
    return pageFile('shared', this.ctx.path);
  }
}

/** No search engine lists the chat, no cache keeps it, and no other site learns the address. */
function keepPrivate(ctx: Context): void {
  ctx.set({ 'x-robots-tag': 'noindex, nofollow, noarchive', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
}

function toWireShare({ id, sessionId, role, isPublic, keyName, createdAt, expiresAt }: ShareRecord) {
  return {
    id,
    sessionId,
    role: role ?? VIEWER,
    public: isPublic,
    keyName,
    createdAt: toIsoTime(createdAt),
    expiresAt: toIsoTime(expiresAt),
  };
}

function toWireShared({ share, ...shown }: Shared) {
  return { ...toWireShown(shown), role: share.role ?? VIEWER, sharedAt: toIsoTime(share.createdAt), expiresAt: toIsoTime(share.expiresAt) };
}

function toWireShown({ title, messages: { data, nextCursor } }: Omit<Shared, 'share'>) {
  return { title, messages: data.map(message => ({ ...message, createdAt: toIsoTime(message.createdAt) })), nextCursor };
}
