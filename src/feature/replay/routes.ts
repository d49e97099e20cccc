/** DOOR 2, replays: runs are replayed and compared with their recording. */

import { Controller, Param } from '@midwayjs/core';
import { closedSignal } from '../../controller/closed_signal';
import { bodyOf, markReplay, onceOf, principalOf } from '../../controller/http_request';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader } from '../../controller/schemas/common';
import { AppError } from '../../errors';
import { InjectService } from '../../inject_service';
import { hasScope, type NeededScope } from '../../port/principal';
import type { PrivateTexts } from '../../service/access/private_texts';
import type { TextReads } from '../../service/audit/text_reads';
import { visibleTenant } from '../../service/auth/visible_tenant';
import { decodeId } from '../../wire/decode';
import type { KeyedReplays } from './replay/keyed_replays';
import type { ReplayService } from './replay/replay_service';
import { Replay, ReplayLastRequest, ReplayRequest, ReplaySummaries } from './schemas';
import type { ReplayServices } from './services';
import { REPLAY_TAG } from './tag';
import { toReplaySummary } from './wire_replay';

const { Post } = routesWith({ scope: 'chat', tag: REPLAY_TAG });
const { Post: OpsPost } = routesWith({ scope: 'ops:write', tag: 'ops' });

/** System prompts are texts of the operator. */
const MAY_READ_PROMPTS: NeededScope = ['ops:read', 'admin'];

const needsToolsScope = (): AppError =>
  new AppError('forbidden', {
    param: '/liveTools',
    message: '/liveTools: a replay that runs tools needs the scope tools.',
    messageZh: '/liveTools：执行工具的重放需要 tools 权限。',
  });

const REPLAY = named('Replay', Replay);

const noForeignTools = (): AppError =>
  new AppError('forbidden', {
    param: '/liveTools',
    message: '/liveTools: an operator replays runs of any tenant without tools. Leave liveTools out, or use a key of that tenant.',
    messageZh: '/liveTools：运维人员重放任意租户的运行时不能执行工具。请去掉 liveTools，或使用该租户的密钥。',
  });

@Controller('/api/v1')
export class ReplayController extends RestController {
  @InjectService<ReplayServices>() replayService!: ReplayService;
  @InjectService<ReplayServices>() keyedReplays!: KeyedReplays;

  @Post('/runs/:id/replay', 'replayRun', {
    summary: { en: 'Replay a run and compare it', 'zh-CN': '重放一个运行并比较' },
    description: {
      en: 'The agent loop runs again with the prompt, the tools and the agent of today. Results of tools come from the recording. With liveTools, which needs the scope tools, a call that only reads and is not recorded runs like POST /tools/call, and is logged as a tool execution.',
      'zh-CN':
        '智能体循环以今天的提示词、工具和智能体再次执行。工具结果来自录制。使用 liveTools 时（需要 tools 权限），录制中没有且只读的调用会像 POST /tools/call 一样执行，并记录为工具执行。',
    },
    session: 'look',
    headers: IdempotencyHeader,
    body: ReplayRequest,
    longField: 'prompt',
    answers: done(REPLAY),
    errors: [
      'forbidden',
      'not_recorded',
      'idempotency_mismatch',
      'quota_exceeded',
      'rate_limited',
      'draining',
      'not_accepting',
      'store_unavailable',
    ],
  })
  async replay(@Param('id') id: string) {
    const principal = principalOf(this.ctx);
    const { tenantId, keyName } = principal;
    const options = bodyOf(this.ctx, ReplayRequest);
    if (options.liveTools === 'read' && !hasScope(principal, 'tools')) throw needsToolsScope();
    const { id: runId, sessionId } = await this.replayService.findRun(tenantId, decodeId(id));
    const once = onceOf(this.ctx, 'replayRun', { runId, options });
    const request = { tenantId, once, sessionId, signal: closedSignal(this.ctx) };
    const { answer: replay, isRepeated } = await this.keyedReplays.answerOnce(request, signal =>
      this.replayService.replayRun(runId, options, { tenantId, keyName, signal }),
    );
    if (isRepeated) markReplay(this.ctx, once);
    return hasScope(principal, MAY_READ_PROMPTS) ? replay : { ...replay, promptDiff: undefined };
  }
}

@Controller('/api/v1/ops/runs')
export class OpsRunReplayController extends RestController {
  @InjectService<ReplayServices>() replayService!: ReplayService;
  @InjectService() textReads!: TextReads;
  @InjectService() privateTexts!: PrivateTexts;

  /** The answer is not kept for retries: the tenant of the run could not delete it with the session. */
  @OpsPost('/:id/replay', 'replayAnyRun', {
    scope: 'admin',
    summary: { en: 'Replay a run of any tenant', 'zh-CN': '重放任意租户的运行' },
    description: {
      en: 'Like POST /runs/{id}/replay, without liveTools. Calls of models count for the caller. The audit log of the tenant names the reader.',
      'zh-CN': '与 POST /runs/{id}/replay 相同，但不能使用 liveTools。模型调用计入调用者。该租户的审计日志会记下读取者。',
    },
    body: ReplayRequest,
    longField: 'prompt',
    answers: done(REPLAY),
    errors: ['forbidden', 'not_recorded', 'quota_exceeded', 'rate_limited', 'draining', 'not_accepting', 'store_unavailable'],
  })
  async replayAny(@Param('id') id: string) {
    const principal = principalOf(this.ctx);
    const options = bodyOf(this.ctx, ReplayRequest);
    if (options.liveTools === 'read') throw noForeignTools();
    const run = await this.replayService.findRun(visibleTenant(principal), decodeId(id));
    const { tenantId } = run;
    await this.privateTexts.assertReadable(principal, run);
    await this.textReads.record(principal, { tenantId, kind: 'run', id: run.id });
    const caller = { tenantId, keyName: principal.keyName, payer: principal, signal: closedSignal(this.ctx) };
    return this.replayService.replayRun(run.id, options, caller);
  }
}

@Controller('/api/v1/ops/replays')
export class OpsReplayController extends RestController {
  @InjectService<ReplayServices>() replayService!: ReplayService;

  @OpsPost('/', 'replayLastRuns', {
    summary: { en: 'Replay the newest runs with their recorded answers', 'zh-CN': '用录制的回答重放最新的运行' },
    description: {
      en: 'Shows whether the gateway as it is now handles runs as before. Operators replay runs of all tenants, other keys those of their own tenant. Calls no model and no tool; the answer holds no text of a run.',
      'zh-CN':
        '检查当前网关处理运行的方式是否与以前相同。运维人员重放所有租户的运行，其他密钥只重放自己租户的运行。不调用模型和工具；答复中没有运行的文本。',
    },
    body: ReplayLastRequest,
    needsBody: true,
    answers: done(named('ReplaySummaries', ReplaySummaries)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async replayLast() {
    const { last } = bodyOf(this.ctx, ReplayLastRequest);
    const seen = { tenantId: visibleTenant(principalOf(this.ctx)) };
    return { data: (await this.replayService.replayLast(last, seen, closedSignal(this.ctx))).map(toReplaySummary) };
  }
}
