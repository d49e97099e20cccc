/** DOOR 2, web push: the devices that get notifications, and decisions from a notification. */

import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, localeOf, principalOf, queryOf } from '../../controller/http_request';
import { listOrPage } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { ListQuery } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import type { ServiceSettings } from '../../service/service_settings';
import { toIsoTime } from '../../utils/iso_time';
import { decodeId } from '../../wire/decode';
import { nameDevice } from './device_name';
import type { PushActions } from './push_actions';
import type { PushService, PushServices } from './push_service';
import { ActionRequest, PushKey, PushSubscription, SubscriptionRequest } from './schemas';
import type { PushSubscriptionRecord } from './store/push_records';

const TAG = {
  name: 'push',
  description: { en: 'Notifications on devices of people, by web push.', 'zh-CN': '通过 Web Push 在用户设备上显示的通知。' },
};
const SUBSCRIPTION = named('PushSubscription', PushSubscription);

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: TAG });
const { Post: OpenPost } = routesWith({ scope: 'open', tag: TAG });

@Controller('/api/v1')
export class PushController extends RestController {
  @InjectService<PushServices>() pushService!: PushService;
  @InjectService<PushServices>() pushActions!: PushActions;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/push-subscriptions/key', 'getPushKey', {
    summary: { en: 'Read the key with which a browser subscribes', 'zh-CN': '读取浏览器订阅所用的密钥' },
    answers: done(named('PushKey', PushKey)),
    errors: ['store_unavailable'],
  })
  async key() {
    return { publicKey: await this.pushService.publicKey() };
  }

  @Get('/push-subscriptions', 'listPushSubscriptions', {
    summary: { en: 'List the devices of the caller, oldest first', 'zh-CN': '列出调用者的设备，最早的在前' },
    query: ListQuery,
    answers: page(SUBSCRIPTION),
  })
  async list() {
    const devices = await this.pushService.listOwn(principalOf(this.ctx));
    return encodePage(
      listOrPage(devices, queryOf(this.ctx, ListQuery), ({ id }) => id),
      toWireSubscription,
    );
  }

  @Post('/push-subscriptions', 'createPushSubscription', {
    summary: { en: 'Send notifications to a device', 'zh-CN': '向设备发送通知' },
    description: {
      en: 'The body is what PushSubscription.toJSON() of the browser returns. The device hears of questions, approvals and ends of runs of the caller until its key ends. Sent again for the same endpoint, it changes the device, and notifications that wait for it stay. At most 20.',
      'zh-CN':
        '请求体为浏览器 PushSubscription.toJSON() 的结果。设备会收到调用者的运行的提问、批准请求和结束通知，直到其密钥失效。以同一地址再次发送会更改该设备，等待发送的通知仍会送达。最多 20 个。',
    },
    body: SubscriptionRequest,
    answers: { 201: { description: { en: 'The device is subscribed', 'zh-CN': '已订阅' }, json: SUBSCRIPTION } },
    errors: ['quota_exceeded', 'store_unavailable'],
  })
  async create() {
    const { endpoint, keys, locale, preview } = bodyOf(this.ctx, SubscriptionRequest);
    const target = { endpoint, publicKey: keys.p256dh, authSecret: keys.auth };
    const choice = {
      locale: locale ?? localeOf(this.ctx, this.serviceSettings.defaultLocale),
      name: nameDevice(this.ctx.get('user-agent')),
      preview,
    };
    const device = await this.pushService.subscribe(principalOf(this.ctx), target, choice);
    this.ctx.status = 201;
    return toWireSubscription(device);
  }

  @Delete('/push-subscriptions/:id', 'deletePushSubscription', {
    summary: { en: 'Stop notifications on a device', 'zh-CN': '停止向设备发送通知' },
    answers: { 204: { description: { en: 'The device gets no more notifications', 'zh-CN': '设备不再收到通知' } } },
    errors: ['store_unavailable'],
  })
  async remove(@Param('id') id: string) {
    await this.pushService.unsubscribe(principalOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }

  @OpenPost('/actions/:token', 'decideByPushAction', {
    summary: { en: 'Allow or deny a tool call from a notification', 'zh-CN': '在通知中允许或拒绝一次工具调用' },
    description: {
      en: 'The token of the notification is the credential. It counts once, for exactly the arguments that were shown, until the deadline of the approval, and only while its key has the scope approve.',
      'zh-CN': '通知中的令牌就是凭据：只能用一次，只对所示的参数有效，在批准的截止时间之前有效，且其密钥仍须有 approve 权限。',
    },
    body: ActionRequest,
    answers: done('Decided'),
    errors: ['not_found', 'forbidden', 'clarification_closed', 'rate_limited', 'store_unavailable'],
  })
  async decide(@Param('token') token: string) {
    const { decision } = bodyOf(this.ctx, ActionRequest);
    const decided = await this.pushActions.decide(decodeId(token), decision, this.ctx.state.clientAddress);
    this.ctx.status = 200;
    return { status: 'answered', ...decided };
  }
}

/** The endpoint and the keys stay here: whoever knows them can send to the device. */
export function toWireSubscription({ id, endpoint, name, locale, preview, keyName, createdAt, lastUsedAt }: PushSubscriptionRecord) {
  const { host } = new URL(endpoint);
  return { id, host, name, locale, preview, keyName, createdAt: toIsoTime(createdAt), lastUsedAt: lastUsedAt && toIsoTime(lastUsedAt) };
}
