/** Answers of the routes for probes and pages about the state of the gateway, and the form of every error. */
import { Type } from '@sinclair/typebox';
import { ERRORS } from '../../errors';
import { says } from '../../utils/bilingual';
import { Optional, oneOf } from '../../utils/schema_types';
import { AnyObject, Locale } from './common';

const Model = Type.Object({
  provider: Type.String(),
  model: Type.String(),
  demo: Type.Boolean(says('true: a script, no AI', 'true 表示按脚本应答，非 AI')),
});
const CommandLimits = Type.Object(
  {
    processes: Type.Integer(),
    memoryBytes: Type.Integer(),
    cpuSeconds: Type.Integer(),
    fileBytes: Type.Integer(),
    outputBytes: Type.Integer(),
    timeMs: Type.Integer(),
    watched: Type.Boolean(
      says('false: this system cannot count the processes and memory of a whole command', 'false：本系统上无法监视整条命令的进程和内存'),
    ),
  },
  says('limits of every command of the agent', '智能体的每条命令受到的限制'),
);
const Isolation = oneOf(
  ['bubblewrap', 'namespaces', 'process_group'],
  says('how commands are kept apart from the machine', '命令与主机的隔离方式'),
);
const Sandbox = Type.Object({
  kind: oneOf(['bubblewrap', 'namespaces', 'none'], says('the sandbox that commands run in', '命令所在的沙箱')),
  network: Type.Boolean(says('whether commands reach the network', '命令能否访问网络')),
  problem: Optional.String(says('why no sandbox works on this machine, and how to get one', '本机为何没有可用的沙箱，以及如何启用')),
});

export const WireError = Type.Object({
  type: Optional.String({ format: 'uri', ...says('page that describes the code (RFC 9457)', '说明此错误码的页面（RFC 9457）') }),
  title: Optional.String(says('what the code means', '错误码的含义')),
  status: Optional.Integer(says('HTTP status', 'HTTP 状态码')),
  detail: Optional.String(says('the message, as application/problem+json has it', '即 message，用于 application/problem+json')),
  error: Type.Object({
    code: oneOf(Object.keys(ERRORS)),
    message: Type.String(says('for people; its words may change', '给人看的说明，措辞可能变化')),
    type: Type.String(says('family of the code', '错误码所属类别')),
    param: Optional.String(says('JSON pointer of the field that is wrong', '出错字段的 JSON 指针')),
    retryable: Type.Boolean(says('whether the same request may succeed later', '同样的请求稍后是否可能成功')),
    retryAfterMs: Optional.Integer(says('milliseconds', '毫秒')),
    requestId: Type.String(says('the same as the header x-request-id', '与响应头 x-request-id 相同')),
    details: Type.Optional(AnyObject),
  }),
});

export const Info = Type.Object({
  name: Type.String(),
  version: Type.String(),
  locale: Locale,
  timeZone: Type.String(says('of jobs whose schedule names none', '定时任务没有指明时区时使用')),
  model: Model,
  isolation: Isolation,
  sandbox: Sandbox,
  commandLimits: CommandLimits,
  publicShares: Type.Boolean(says('links to chats may need no login', '对话链接可以免登录')),
  transcription: Type.Optional(
    Type.Object(
      { provider: Type.String(), model: Type.String() },
      says('the model that turns recordings into text; absent when there is none', '把录音转成文字的模型；没有时缺省'),
    ),
  ),
});

export const Alive = Type.Object({ status: Type.Literal('ok') });

export const Ready = Type.Object({
  status: Type.Literal('ready'),
  store: Type.Literal('ok'),
  model: Model,
  isolation: Isolation,
  sandbox: Sandbox,
  eventLoop: Type.Object({ delayP99Ms: Type.Number(), delayMaxMs: Type.Number(), busyMaxMs: Type.Number() }),
  commandLimits: CommandLimits,
  warnings: Type.Array(
    Type.String(),
    says(
      'mistakes in the files of the operator that do not stop the gateway, each with its file',
      '不影响网关运行的配置文件错误，每条都注明文件',
    ),
  ),
});
