/** DOOR 2, what operators switch and cancel. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, principalOf } from '../../../controller/http_request';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { InjectService } from '../../../inject_service';
import { decodeId } from '../../../wire/decode';
import { AcceptingRequest, CancelRequest, CancelRunsRequest, SwitchToolRequest } from '../schemas/request_schemas';
import { OpsCancelled, OpsRunCancelled } from '../schemas/run_schemas';
import { OpsAccepting, OpsToolSwitch } from '../schemas/view_schemas';
import { type OpsView, viewOf } from '../shared/ops_view';
import type { OpsServices } from './ops_services';

const { Post } = routesWith({ scope: 'ops:write', tag: 'ops' });

@Controller('/api/v1/ops')
export class OpsActionsController extends RestController {
  @InjectService<OpsServices>() opsActions!: OpsServices['opsActions'];

  @Post('/runs/cancel', 'cancelOpsRuns', {
    summary: { en: 'Cancel the live runs that pass a filter', 'zh-CN': '取消符合条件的活动运行' },
    description: {
      en: 'At most 200 at once. Answers with their ids and does not wait for their ends.',
      'zh-CN': '一次最多 200 个。返回它们的 id，不等待它们结束。',
    },
    body: CancelRunsRequest,
    answers: { 202: { description: { en: 'They are being cancelled', 'zh-CN': '正在取消' }, json: named('OpsCancelled', OpsCancelled) } },
  })
  async cancelRuns() {
    const { filter, reason } = bodyOf(this.ctx, CancelRunsRequest);
    const { key, stuck, ...rest } = filter;
    const chosen = { ...rest, keyName: key, isStuck: stuck };
    const runIds = await this.opsActions.cancelRuns(this.view, principalOf(this.ctx), chosen, reason);
    this.ctx.status = 202;
    return { runIds };
  }

  @Post('/runs/:id/cancel', 'cancelOpsRun', {
    summary: { en: 'Cancel a run of others', 'zh-CN': '取消他人的运行' },
    description: { en: 'Answers when the run has ended, with its final status.', 'zh-CN': '等运行结束后返回它的最终状态。' },
    body: CancelRequest,
    answers: done(named('OpsRunCancelled', OpsRunCancelled)),
  })
  async cancelRun(@Param('id') id: string) {
    const { reason } = bodyOf(this.ctx, CancelRequest);
    const run = await this.opsActions.cancelRun(this.view, principalOf(this.ctx), decodeId(id), reason);
    this.ctx.status = 200;
    return { runId: run.id, sessionId: run.sessionId, status: run.status };
  }

  @Post('/tools/:name', 'switchTool', {
    summary: { en: 'Switch a tool on or off', 'zh-CN': '启用或停用一个工具' },
    description: {
      en: 'For all tenants with a key that has admin, else for your own. New turns do not get a tool that is off, and a call of it is refused with the reason.',
      'zh-CN': '带 admin 的密钥作用于所有租户，否则作用于自己的租户。停用后新的轮次得不到该工具，对它的调用会被拒绝并说明原因。',
    },
    body: SwitchToolRequest,
    answers: done(named('OpsToolSwitch', OpsToolSwitch)),
  })
  async switchTool(@Param('name') name: string) {
    const { enabled, reason } = bodyOf(this.ctx, SwitchToolRequest);
    const tool = decodeId(name);
    await this.opsActions.setTool(principalOf(this.ctx), tool, { isOn: enabled, reason });
    this.ctx.status = 200;
    return { name: tool, enabled };
  }

  @Post('/accepting', 'setAccepting', {
    summary: { en: 'Pause or accept new runs', 'zh-CN': '暂停或恢复接受新的运行' },
    description: {
      en: 'For all tenants, or for the one in tenant, with a key that has admin, else for your own. A pause of all tenants and one of a single tenant are two: lift each. Runs in progress and in the queue go on; jobs wait. Other gateways on the same store follow within 2 seconds.',
      'zh-CN':
        '带 admin 的密钥作用于所有租户，或 tenant 指定的租户；否则作用于自己的租户。所有租户的暂停和单个租户的暂停互相独立，需要分别解除。进行中和排队的运行会继续，任务等待。同一存储上的其他网关在 2 秒内跟随。',
    },
    body: AcceptingRequest,
    answers: done(named('OpsAccepting', OpsAccepting)),
  })
  async setAccepting() {
    const { accepting, reason, tenant } = bodyOf(this.ctx, AcceptingRequest);
    this.ctx.status = 200;
    return this.opsActions.setAccepting(principalOf(this.ctx), {
      isOn: accepting,
      reason,
      tenant,
    });
  }

  private get view(): OpsView {
    return viewOf(principalOf(this.ctx));
  }
}
