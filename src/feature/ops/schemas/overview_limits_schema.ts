/** The limits on the overview. */
import { Type } from '@sinclair/typebox';
import { Time } from '../../../controller/schemas/common';
import { says } from '../../../utils/bilingual';
import { Optional, oneOf } from '../../../utils/schema_types';

const count = Type.Integer({ minimum: 0 });

export const OverviewLimits = Type.Object(
  {
    windowMinutes: count,
    budgets: Type.Object(
      { tokensPerDay: count, costPerDayUsd: count },
      says('number of budgets of the day, of keys and tenants', '密钥和租户的当天预算数'),
    ),
    usedUpBudgets: Type.Object(
      { tokensPerDay: count, costPerDayUsd: count },
      says('how many of these budgets have nothing left', '其中已用完的预算数'),
    ),
    usedUp: Type.Array(
      Type.Object({
        scope: oneOf(['key', 'tenant']),
        name: Type.String(),
        tenantId: Type.String(),
        limit: oneOf(['tokensPerDay', 'costPerDayUsd']),
        used: Type.Number(),
        max: Type.Number(),
      }),
      says('budgets without anything left; the first 20 of usedUpBudgets', '已用完的预算；usedUpBudgets 中的前 20 个'),
    ),
    refused: Type.Integer(
      says('requests that limits refused in the last minutes, in this process', '本进程最近几分钟因限制而拒绝的请求数'),
    ),
    refusedCallers: Type.Array(
      Type.Object({ tenantId: Type.String(), keyName: Type.String(), code: Type.String(), limit: Optional.String(), count, lastAt: Time }),
      says('whom limits refused; the most refused first, at most 20', '被限制拒绝的调用者；拒绝最多的在前，最多 20 个'),
    ),
  },
  says('what limits refuse now', '目前被限制拒绝的情况'),
);
