/** Requests and answers of authenticator apps and passkeys. */
import { Type } from '@sinclair/typebox';
import { Time } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../utils/schema_types';

export const Factor = Type.Object({
  id: Type.String(),
  kind: oneOf(['totp', 'passkey']),
  name: Type.String(),
  createdAt: Time,
  lastUsedAt: Type.Optional(Time),
  recoveryCodes: Optional.Integer(says('recovery codes that are left', '剩余的恢复码数量')),
});

export const BegunTotp = Type.Object({
  secret: Type.String(says('in base 32, to write into an app', 'base 32，可手动输入应用')),
  url: Type.String(says('otpauth address', 'otpauth 地址')),
  qr: Type.String(says('the address as a drawing (SVG)', '该地址的二维码（SVG）')),
});

export const TotpCode = closedObject({
  code: Type.String({ minLength: 1, maxLength: 64, ...says('of the app', '应用显示的验证码') }),
});

export const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), says('shown this once; each works once', '只显示这一次，每个只能使用一次')),
});

const Step = Type.String({ minLength: 1, maxLength: 2_000, ...says('from the answer that began this', '来自开始时的回答') });
const DeviceAnswer = Type.Record(Type.String(), Type.Unknown(), says('what the browser returned, as JSON', '浏览器返回的内容（JSON）'));

export const PasskeyStep = Type.Object({
  options: Type.Record(Type.String(), Type.Unknown(), says('for navigator.credentials', '用于 navigator.credentials')),
  step: Type.String(says('goes back with the answer of the device, within 5 minutes', '随设备的回答一起返回，5 分钟内有效')),
});

export const NewPasskey = closedObject({
  step: Step,
  name: Optional.String({ minLength: 1, maxLength: 60, pattern: '\\S', ...says('such as the device', '例如设备名称') }),
  response: DeviceAnswer,
});

export const PasskeyLogin = closedObject({ step: Step, response: DeviceAnswer });

export const SignIn = Type.Object({
  id: Type.String(),
  at: Time,
  way: Type.String(says('password, invitation, passkey, or provider:<id>', 'password、invitation、passkey 或 provider:<id>')),
  address: Type.String(says('IP address', 'IP 地址')),
  client: Type.String(says('browser and system', '浏览器和系统')),
  unusual: Type.Boolean(says('from a network or a browser that was not used before', '来自以前未使用过的网络或浏览器')),
});
