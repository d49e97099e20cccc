/** What the charts of operators show. */
import { type Static, Type } from '@sinclair/typebox';
import { Time } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { closedObject, Optional, oneOf } from '../../../utils/schema_types';

const count = Type.Integer({ minimum: 0 });
const milliseconds = Optional.Number({ minimum: 0 });
const Series = Type.Array(
  Type.Object({ name: Type.String(), values: Type.Array(Type.Number()) }),
  says('US dollars in each part, the largest series first; the name * is the rest', '每一段的美元费用，最大的在前；名称 * 为其余部分'),
);

export const OpsHistoryQuery = closedObject({
  hours: Optional.OneOf(
    ['1', '6', '24', '168', '720'],
    says('length of the span that ends now; default 1', '以现在为终点的时长（小时），默认 1'),
  ),
});

export const OpsHistory = Type.Object({
  from: Time,
  to: Time,
  partMs: Type.Integer(says('length of a part in milliseconds', '每一段的毫秒数')),
  isTruncated: Type.Boolean(
    says('the span has more runs than were read; the oldest are missing', '该时段的运行多于所读取的；缺少最早的部分'),
  ),
  parts: Type.Array(
    Type.Object({
      at: Time,
      runs: count,
      failed: count,
      p50Ms: milliseconds,
      p90Ms: milliseconds,
      p99Ms: milliseconds,
      queueP95Ms: milliseconds,
      queued: Type.Integer({
        minimum: 0,
        ...says(
          'the most runs that stood in the queue at one time, for a second or longer',
          '同一时刻排队的运行的最大数量（排队一秒以上）',
        ),
      }),
      waiting: Type.Integer({
        minimum: 0,
        ...says('the most questions and approvals that waited for a person at one time', '同一时刻等待人处理的问题和批准的最大数量'),
      }),
    }),
    says(
      'runs by the time of their end, and their durations from acceptance to end; runs that were accepted more than an hour before the span are missing',
      '按结束时间统计的运行，及其从接受到结束的耗时；不含在该时段开始前一小时以上接受的运行',
    ),
  ),
  cost: Type.Object({ at: Type.Array(Time), tenant: Series, key: Series, model: Series }),
  marks: Type.Array(
    Type.Object({
      at: Time,
      kind: oneOf(['change', 'start']),
      actor: Optional.String(),
      actionText: Optional.String(),
      actionTextZh: Optional.String(),
      target: Type.String(),
    }),
    says('acts of operators, and starts of the gateways that are alive', '运维人员的操作，以及在线网关的启动'),
  ),
});
export type OpsHistory = Static<typeof OpsHistory>;
