/** DOOR 2, replays: runs are replayed and compared with their recording. */
import { Controller, Param } from '@midwayjs/core';
import { closedSignal } from '../../controller/closed_signal';
import { bodyOf, principalOf } from '../../controller/http_request';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import { decodeId } from '../../wire/decode';
import type { ReplayService } from './replay/replay_service';
import { Replay, ReplayLastRequest, ReplayRequest, ReplaySummaries } from './schemas';
import type { ReplayServices } from './services';
import { REPLAY_TAG } from './tag';
import { toReplaySummary } from './wire_replay';

const { Post } = routesWith({ scope: 'chat', tag: REPLAY_TAG });
const { Post: OpsPost } = routesWith({ scope: 'ops:write', tag: 'ops' });

@Controller('/api/v1')
export class ReplayController extends RestController {
  @InjectService<ReplayServices>() replayService!: ReplayService;

  @Post('/runs/:id/replay', 'replayRun', {
    summary: { en: 'Replay a run and compare it', 'zh-CN': '重放一个运行并比较' },
    description: {
      en: 'The agent loop runs again with the prompt, the tools and the agent of today. Tools do not run: their results come from the recording. Nothing is written.',
      'zh-CN': '智能体循环以今天的提示词、工具和智能体再次执行。工具不会执行：结果来自录制。不写入任何内容。',
    },
    body: ReplayRequest,
    longField: 'prompt',
    answers: done(named('Replay', Replay)),
    errors: ['not_recorded', 'quota_exceeded', 'store_unavailable'],
  })
  async replay(@Param('id') id: string) {
    const { tenantId, keyName } = principalOf(this.ctx);
    const options = bodyOf(this.ctx, ReplayRequest);
    return this.replayService.replayRun(decodeId(id), options, { tenantId, keyName, signal: closedSignal(this.ctx) });
  }
}

@Controller('/api/v1/ops/replays')
export class OpsReplayController extends RestController {
  @InjectService<ReplayServices>() replayService!: ReplayService;

  @OpsPost('/', 'replayLastRuns', {
    summary: { en: 'Replay the newest runs with their recorded answers', 'zh-CN': '用录制的回答重放最新的运行' },
    description: {
      en: 'Shows whether the gateway as it is now handles runs as before. Calls no model and no tool; the answer holds no text of a run.',
      'zh-CN': '检查当前网关处理运行的方式是否与以前相同。不调用模型和工具；答复中没有运行的文本。',
    },
    body: ReplayLastRequest,
    needsBody: true,
    answers: done(named('ReplaySummaries', ReplaySummaries)),
    errors: ['forbidden', 'store_unavailable'],
  })
  async replayLast() {
    const { last } = bodyOf(this.ctx, ReplayLastRequest);
    return { data: (await this.replayService.replayLast(last, closedSignal(this.ctx))).map(toReplaySummary) };
  }
}
