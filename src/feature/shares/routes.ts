/** DOOR 2, links that show a chat to others, and the chats behind them. */
import { Controller, Param } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { bodyOf, encodePage, pageOf, principalOf, queryOf, tenantOf } from '../../controller/http_request';
import { listOrPage } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { ListQuery } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { pageFile } from '../../utils/page_file';
import { decodeId } from '../../wire/decode';
import { MadeShare, Share, SharedChat, SharedQuery, ShareRequest } from './schemas';
import type { SharedChat as Shared, ShareService, ShareServices } from './share_service';
import type { ShareRecord } from './store/share_records';

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: 'sessions' });
const { Get: OpenGet } = routesWith({ scope: 'open', tag: 'sessions' });
const SHARED = named('SharedChat', SharedChat);
const DAYS = 30;

@Controller('/api/v1')
export class SharesController extends RestController {
  @InjectService<ShareServices>() shareService!: ShareService;

  @Post('/sessions/:id/shares', 'createShare', {
    summary: { en: 'Make a link that shows a chat', 'zh-CN': '创建展示对话的链接' },
    description: {
      en: 'The link shows the texts that the chat has now, read-only, to people of the tenant: no tool results, images or files. The audit log records it.',
      'zh-CN': '链接向本租户的人只读展示对话现有的文字，不含工具结果、图片和文件。会记入审计日志。',
    },
    body: ShareRequest,
    answers: { 201: { description: { en: 'The link, with its token', 'zh-CN': '链接及其令牌' }, json: named('MadeShare', MadeShare) } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async create(@Param('id') id: string) {
    const { days = DAYS, withoutLogin = false } = bodyOf(this.ctx, ShareRequest);
    const { share, token } = await this.shareService.createShare(principalOf(this.ctx), decodeId(id), { days, withoutLogin });
    this.ctx.status = 201;
    return { ...toWireShare(share), token };
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

  @Delete('/sessions/:id/shares/:shareId', 'revokeShare', {
    summary: { en: 'Revoke a link', 'zh-CN': '撤销链接' },
    answers: { 204: { description: { en: 'The link shows nothing any more', 'zh-CN': '链接不再显示任何内容' } } },
    errors: ['store_unavailable'],
  })
  async revoke(@Param('id') id: string, @Param('shareId') shareId: string) {
    await this.shareService.revokeShare(principalOf(this.ctx), decodeId(id), decodeId(shareId));
    this.ctx.status = 204;
  }

  @Get('/shared/:token', 'getSharedChat', {
    summary: { en: 'Read a chat by its link', 'zh-CN': '通过链接读取对话' },
    query: SharedQuery,
    answers: done(SHARED),
  })
  async shared(@Param('token') token: string) {
    keepPrivate(this.ctx);
    return toWireShared(await this.shareService.readShared(decodeId(token), tenantOf(this.ctx), this.pageRequest()));
  }

  @OpenGet('/public/shared/:token', 'getPublicSharedChat', {
    summary: { en: 'Read a chat by a link that needs no login', 'zh-CN': '通过免登录链接读取对话' },
    query: SharedQuery,
    answers: done(SHARED),
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
  })
  async publicShared(@Param('token') token: string) {
    keepPrivate(this.ctx);
    return toWireShared(await this.shareService.readOpen(decodeId(token), this.ctx.state.clientAddress, this.pageRequest()));
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

const iso = (time: number): string => new Date(time).toISOString();

function toWireShare({ tenantId: _tenant, tokenHash: _hash, createdAt, expiresAt, ...share }: ShareRecord) {
  return { ...share, createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
}

function toWireShared({ share, title, messages }: Shared) {
  const rows = messages.data.map(message => ({ ...message, createdAt: iso(message.createdAt) }));
  return { title, sharedAt: iso(share.createdAt), expiresAt: iso(share.expiresAt), messages: rows, nextCursor: messages.nextCursor };
}
