/** DOOR 2, inbound webhooks: hooks of a tenant, and the addresses at which other services start runs. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, markReplay, onceOf, originOf, pageOf, principalOf, queryOf, tenantOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith, START_ERRORS } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader, PAGE_QUERY } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import { readHookBody } from './hook_body';
import type { HookCalls, HookServices } from './hook_calls';
import type { HookService } from './hook_service';
import { Hook, HookCall, HookHeaders, HookPatch, HookRequest, NewHook } from './schemas';
import type { HookRecord } from './store/hook_records';
import { toWireHook, toWireHookCall } from './wire_hooks';

const TAG = {
  name: 'hooks',
  description: { en: 'Addresses at which other services start runs.', 'zh-CN': '供其他服务启动运行的地址。' },
};
const HOOK = named('Hook', Hook);
const PageQuery = closedObject(PAGE_QUERY);

const { Get, Post, Patch, Delete } = routesWith({ scope: 'chat', tag: TAG });
const { Post: OpenPost } = routesWith({ scope: 'open', tag: TAG });

@Controller('/api/v1/hooks')
export class HooksController extends RestController {
  @InjectService<HookServices>() hookService!: HookService;

  @Get('/', 'listHooks', {
    scope: 'chat',
    summary: { en: 'List the hooks, oldest first', 'zh-CN': '列出钩子，最早的在前' },
    query: PageQuery,
    answers: page(HOOK),
  })
  async list() {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    const hooks = await this.hookService.listHooks(tenantOf(this.ctx));
    return encodePage(
      pageOfList(hooks, request, ({ id }) => id),
      hook => this.withUrl(hook),
    );
  }

  @Post('/', 'createHook', {
    summary: { en: 'Make an address at which a service starts runs', 'zh-CN': '创建供其他服务启动运行的地址' },
    description: {
      en: 'The service proves itself with a signature of Standard Webhooks 1.0 or with the secret as bearer token. Its runs count for the key of the caller. At most 50.',
      'zh-CN': '服务以 Standard Webhooks 1.0 签名，或以密钥作为 bearer 令牌证明身份。其运行计入调用者的密钥。最多 50 个。',
    },
    headers: IdempotencyHeader,
    body: HookRequest,
    longField: 'template',
    answers: {
      201: {
        description: { en: 'The hook exists; its secret is shown only here', 'zh-CN': '已新建；密钥只在这里显示' },
        json: named('NewHook', NewHook),
      },
    },
    errors: ['not_found', 'quota_exceeded', 'idempotency_mismatch', 'store_unavailable'],
  })
  async create() {
    const input = bodyOf(this.ctx, HookRequest);
    const once = onceOf(this.ctx, 'createHook', input);
    const hook = await this.hookService.createHook(principalOf(this.ctx), input, once);
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/hooks/${hook.id}`);
    return { ...this.withUrl(hook), secret: once.replayedId === undefined ? hook.secret : undefined };
  }

  @Get('/:id', 'getHook', {
    scope: 'chat',
    summary: { en: 'Read a hook', 'zh-CN': '读取钩子' },
    answers: done(HOOK),
  })
  async get(@Param('id') id: string) {
    return this.withUrl(await this.hookService.getHook(tenantOf(this.ctx), decodeId(id)));
  }

  @Get('/:id/calls', 'listHookCalls', {
    scope: 'chat',
    summary: { en: 'List the last requests to a hook, newest first', 'zh-CN': '列出钩子最近收到的请求，最新的在前' },
    description: {
      en: 'The newest 50. Of refused requests to a hook, at most 20 in a minute are kept.',
      'zh-CN': '最新的 50 个。被拒绝的请求每个钩子每分钟最多保留 20 个。',
    },
    query: PageQuery,
    answers: page(named('HookCall', HookCall)),
  })
  async calls(@Param('id') id: string) {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    const calls = await this.hookService.listCalls(tenantOf(this.ctx), decodeId(id));
    return encodePage(
      pageOfList(calls, request, call => call.id),
      toWireHookCall,
    );
  }

  @Patch('/:id', 'updateHook', {
    summary: { en: 'Change, pause or resume a hook', 'zh-CN': '更改、暂停或恢复钩子' },
    description: { en: 'Fields that are left out stay as they are.', 'zh-CN': '省略的字段保持不变。' },
    body: HookPatch,
    longField: 'template',
    answers: done(HOOK),
    errors: ['store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const change = bodyOf(this.ctx, HookPatch);
    return this.withUrl(await this.hookService.updateHook(principalOf(this.ctx), decodeId(id), change));
  }

  @Delete('/:id', 'deleteHook', {
    summary: { en: 'Delete a hook; its sessions and runs stay', 'zh-CN': '删除钩子；它的会话和运行会保留' },
    answers: { 204: { description: { en: 'The hook is deleted', 'zh-CN': '钩子已删除' } } },
    errors: ['store_unavailable'],
  })
  async remove(@Param('id') id: string) {
    await this.hookService.deleteHook(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  private withUrl(hook: HookRecord) {
    const { publicAddress, basePath } = this.ctx.state;
    return { ...toWireHook(hook), url: `${publicAddress.protocol}://${publicAddress.host}${basePath}/hooks/${hook.id}` };
  }
}

@Controller('/hooks')
export class HookCallsController extends RestController {
  @InjectService<HookServices>() hookCalls!: HookCalls;

  @OpenPost('/:id', 'callHook', {
    summary: { en: 'Start a run from another service', 'zh-CN': '从其他服务启动运行' },
    description: {
      en: 'The body is JSON, a form or a text, at most 256 KiB; the template of the hook makes the message from it. Authorization: Bearer with the secret, or the headers of Standard Webhooks 1.0. A message with the webhook-id of an earlier one answers the run of that one.',
      'zh-CN':
        '请求体为 JSON、表单或文本，最多 256 KiB；钩子的模板据此生成消息。以密钥作为 Authorization: Bearer，或使用 Standard Webhooks 1.0 的请求头。webhook-id 与先前消息相同时，返回先前的运行。',
    },
    headers: HookHeaders,
    takesAnyQuery: true,
    upload: ['application/json', 'application/x-www-form-urlencoded', 'text/plain'],
    answers: {
      202: {
        description: { en: 'The run is accepted; Location says where to read it', 'zh-CN': '运行已被接受；Location 指明在哪里读取' },
        json: 'RunAccepted',
      },
    },
    errors: ['not_found', 'unauthenticated', 'forbidden', 'idempotency_mismatch', ...START_ERRORS],
  })
  async call(@Param('id') id: string) {
    const { ctx } = this;
    const { run, deduplicated } = await this.hookCalls
      .startRun(decodeId(id), {
        ...originOf(ctx),
        address: ctx.state.clientAddress,
        contentType: ctx.get('content-type'),
        authorization: ctx.get('authorization'),
        messageId: ctx.get('webhook-id'),
        timestamp: ctx.get('webhook-timestamp'),
        signatures: ctx.get('webhook-signature'),
        readBody: () => readHookBody(ctx.req),
      })
      // Reads the rest of this request, because the next request on the connection comes behind it.
      .finally(() => ctx.req.resume());
    if (deduplicated) ctx.set('idempotency-replayed', 'true');
    ctx.set('location', `${ctx.state.basePath}/api/v1/runs/${run.id}`);
    ctx.status = 202;
    return { runId: run.id, sessionId: run.sessionId, status: run.status };
  }
}
