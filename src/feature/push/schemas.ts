/** Requests and answers of the routes of web push. */
import { Type } from '@sinclair/typebox';
import { Locale, Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

const BASE64URL = '^[A-Za-z0-9_-]+=*$';

export const SubscriptionRequest = closedObject(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 2_000,
      ...says('https address at the push service of the browser', '浏览器推送服务的 https 地址'),
    }),
    expirationTime: Type.Optional(Type.Union([Type.Number(), Type.Null()], says('is not used', '不使用'))),
    keys: closedObject(
      { p256dh: Type.String({ maxLength: 200, pattern: BASE64URL }), auth: Type.String({ maxLength: 100, pattern: BASE64URL }) },
      says('keys of the browser, for the encryption', '浏览器的密钥，用于加密'),
    ),
    locale: Type.Optional(
      oneOf(['en', 'zh-CN'], says('language of the notifications; default: that of the gateway', '通知的语言；默认为网关的语言')),
    ),
    preview: Optional.Boolean(
      says(
        'false: notifications say only that something waits, and decide nothing; default: as the device had it, otherwise true',
        'false：通知只提示有事项等待，不能直接作决定；默认沿用该设备原先的选择，否则为 true',
      ),
    ),
  },
  {
    examples: [
      {
        endpoint: 'https://push.example.com/send/abc',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        },
      },
    ],
  },
);

export const PushSubscription = Type.Object({
  id: Type.String(),
  host: Type.String(says('push service of the browser', '浏览器的推送服务')),
  name: Optional.String(says('browser and system, such as `Chrome, Android`', '浏览器和系统，如 `Chrome, Android`')),
  locale: Locale,
  preview: Type.Boolean(says('false: notifications say only that something waits', 'false：通知只提示有事项等待')),
  keyName: Optional.String(says('key that the device was subscribed with', '订阅此设备所用的密钥')),
  createdAt: Time,
  lastUsedAt: Type.Optional(Time),
});

export const PushKey = Type.Object({
  publicKey: Type.String(
    says('applicationServerKey of PushManager.subscribe, base64url', 'PushManager.subscribe 的 applicationServerKey，base64url'),
  ),
});

export const ActionRequest = closedObject({ decision: oneOf(['allow', 'deny']) }, { examples: [{ decision: 'allow' }] });
