/** DOOR 2, API keys. */
import { Controller, Param } from '@midwayjs/core';
import { invalidField } from '../errors';
import { InjectService } from '../inject_service';
import type { ApiKeyService } from '../service/auth/api_key_service';
import { closedObject } from '../utils/schema_types';
import { parseUtcTime } from '../utils/utc_time';
import { decodeId } from '../wire/decode';
import { toWireKey } from '../wire/wire_keys';
import { bodyOf, encodePage, onceOf, pageOf, principalOf, queryOf } from './http_request';
import { pageOfList } from './list_pages';
import { page, RestController, routesWith } from './route';
import { PAGE_QUERY } from './schemas/common';
import { ApiKeyRequest, CreateKeyHeaders } from './schemas/key_schemas';

const KeysQuery = closedObject(PAGE_QUERY);

const { Get, Post, Delete } = routesWith({ scope: 'admin', tag: 'keys' });

@Controller('/api/v1/api-keys')
export class KeysController extends RestController {
  @InjectService() apiKeyService!: ApiKeyService;

  @Get('/', 'listApiKeys', {
    summary: { en: 'List the API keys', 'zh-CN': '列出 API 密钥' },
    description: {
      en: 'Shows the keys of the tenant. An operator sees those of all tenants.',
      'zh-CN': '显示本租户的密钥。运维人员能看到所有租户的密钥。',
    },
    query: KeysQuery,
    answers: page('ApiKey'),
    errors: ['store_unavailable'],
  })
  async list() {
    return encodePage(
      pageOfList(await this.apiKeyService.listKeys(principalOf(this.ctx)), pageOf(queryOf(this.ctx, KeysQuery)), ({ id }) => id),
      toWireKey,
    );
  }

  @Post('/', 'createApiKey', {
    summary: { en: 'Make an API key', 'zh-CN': '新建 API 密钥' },
    description: {
      en: 'The answer shows the secret once. The key has no more scopes than the caller. The first key of all locks the gateway: from then on every caller needs one.',
      'zh-CN': '响应中的密钥只显示一次。新密钥的权限不会超过调用方。第一个密钥会锁定网关：此后每个调用方都需要密钥。',
    },
    headers: CreateKeyHeaders,
    body: ApiKeyRequest,
    answers: { 201: { description: { en: 'The key exists', 'zh-CN': '密钥已建立' }, json: 'MadeApiKey' } },
    errors: ['idempotency_mismatch', 'quota_exceeded', 'store_unavailable'],
  })
  async create() {
    const { name, tenant, scopes, expiresAt } = bodyOf(this.ctx, ApiKeyRequest);
    const input = {
      name,
      scopes,
      tenantId: tenant,
      expiresAt: expiresAt === undefined ? undefined : endOf(expiresAt),
    };
    const made = await this.apiKeyService.createKey(principalOf(this.ctx), input, onceOf(this.ctx, 'createApiKey', input).request?.key);
    this.ctx.status = 201;
    if (made.isReplay) this.ctx.set('idempotency-replayed', 'true');
    return { ...toWireKey(made.key), secret: made.secret };
  }

  @Delete('/:id', 'revokeApiKey', {
    summary: { en: 'Revoke an API key', 'zh-CN': '吊销 API 密钥' },
    description: {
      en: 'Its sockets, event streams and logins end at once; on other gateways over the same store within two seconds. A key of NETA_API_KEYS is removed there.',
      'zh-CN': '它的 socket、事件流和登录立即结束；同一存储上的其他网关在两秒内生效。NETA_API_KEYS 中的密钥只能在那里删除。',
    },
    answers: { 204: { description: { en: 'The key is revoked', 'zh-CN': '密钥已吊销' } } },
    errors: ['store_unavailable'],
  })
  async revoke(@Param('id') id: string) {
    await this.apiKeyService.revokeKey(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }
}

function endOf(text: string): number {
  const time = parseUtcTime(text);
  if (time !== undefined) return time;
  throw invalidField(
    '/expiresAt',
    'must be a time that exists, such as 2026-12-31T00:00:00Z.',
    '必须是存在的时间，例如 2026-12-31T00:00:00Z。',
  );
}
