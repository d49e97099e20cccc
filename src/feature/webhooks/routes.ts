/** DOOR 2, webhooks: where the gateway reports what happens to runs, and what it sent. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, markReplay, onceOf, pageOf, principalOf, queryOf, tenantOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader, PAGE_QUERY } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { closedObject } from '../../utils/schema_types';
import { decodeId } from '../../wire/decode';
import { NewWebhook, Webhook, WebhookDelivery, WebhookRequest } from './schemas';
import type { WebhookService, WebhookServices } from './webhook_service';
import { toWireDelivery, toWireWebhook } from './wire_webhooks';

const TAG = {
  name: 'webhooks',
  description: { en: 'Addresses to which the gateway reports what happens to runs.', 'zh-CN': '网关把运行的进展报告到这些地址。' },
};
const DELIVERY = named('WebhookDelivery', WebhookDelivery);
const PageQuery = closedObject(PAGE_QUERY);

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: TAG });

@Controller('/api/v1/webhooks')
export class WebhooksController extends RestController {
  @InjectService<WebhookServices>() webhookService!: WebhookService;

  @Get('/', 'listWebhooks', {
    scope: 'chat',
    summary: { en: 'List the webhooks, oldest first', 'zh-CN': '列出 webhook，最早的在前' },
    query: PageQuery,
    answers: page(named('Webhook', Webhook)),
  })
  async list() {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    return encodePage(
      pageOfList(await this.webhookService.listWebhooks(tenantOf(this.ctx)), request, ({ id }) => id),
      toWireWebhook,
    );
  }

  @Post('/', 'createWebhook', {
    summary: { en: 'Create a webhook', 'zh-CN': '新建 webhook' },
    description: {
      en: 'Deliveries are signed as Standard Webhooks 1.0 says. A failed one is tried again for about three days; 410 disables the webhook. At most 50.',
      'zh-CN': '发送按 Standard Webhooks 1.0 签名。失败后会在约三天内重试；返回 410 则停用该 webhook。最多 50 个。',
    },
    headers: IdempotencyHeader,
    body: WebhookRequest,
    answers: {
      201: {
        description: { en: 'The webhook exists; its secret is shown only here', 'zh-CN': '已新建；密钥只在这里显示' },
        json: named('NewWebhook', NewWebhook),
      },
    },
    errors: ['quota_exceeded', 'idempotency_mismatch', 'store_unavailable'],
  })
  async create() {
    const input = bodyOf(this.ctx, WebhookRequest);
    const once = onceOf(this.ctx, 'createWebhook', input);
    const webhook = await this.webhookService.createWebhook(principalOf(this.ctx), input, once);
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    return { ...toWireWebhook(webhook), secret: once.replayedId === undefined ? webhook.secret : undefined };
  }

  @Delete('/:id', 'deleteWebhook', {
    summary: { en: 'Delete a webhook and its deliveries', 'zh-CN': '删除 webhook 及其发送记录' },
    answers: { 204: { description: { en: 'The webhook is deleted', 'zh-CN': '已删除' } } },
  })
  async remove(@Param('id') id: string) {
    await this.webhookService.deleteWebhook(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @Get('/:id/deliveries', 'listWebhookDeliveries', {
    scope: 'chat',
    summary: { en: 'List the deliveries of a webhook, newest first', 'zh-CN': '列出某个 webhook 的发送记录，最新的在前' },
    description: { en: 'Kept for 30 days.', 'zh-CN': '保留 30 天。' },
    query: PageQuery,
    answers: page(DELIVERY),
  })
  async deliveries(@Param('id') id: string) {
    const request = pageOf(queryOf(this.ctx, PageQuery));
    return encodePage(await this.webhookService.listDeliveries(principalOf(this.ctx), decodeId(id), request), toWireDelivery);
  }

  @Post('/:id/deliveries/:deliveryId/replay', 'replayWebhookDelivery', {
    summary: { en: 'Send a delivery again', 'zh-CN': '重新发送' },
    description: { en: 'With the same id and body. One that is pending stays so.', 'zh-CN': 'id 和内容不变。等待中的保持不变。' },
    answers: { 202: { description: { en: 'The delivery is pending', 'zh-CN': '等待发送' }, json: DELIVERY } },
  })
  async replay(@Param('id') id: string, @Param('deliveryId') deliveryId: string) {
    const delivery = await this.webhookService.replayDelivery(principalOf(this.ctx), decodeId(id), decodeId(deliveryId));
    this.ctx.status = 202;
    return toWireDelivery(delivery);
  }
}
