/** DOOR 2, suites: runs that are kept as cases, replayed and checked. */
import { Controller, Param } from '@midwayjs/core';
import { closedSignal } from '../../../controller/closed_signal';
import { bodyOf, markReplay, onceOf, principalOf, queryOf, tenantOf } from '../../../controller/http_request';
import { listOrPage } from '../../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { IdempotencyHeader, ListQuery } from '../../../controller/schemas/common';
import { InjectService } from '../../../inject_service';
import { decodeId } from '../../../wire/decode';
import type { KeyedReplays } from '../replay/keyed_replays';
import type { ReplayServices } from '../services';
import { REPLAY_TAG } from '../tag';
import { Suite, SuiteCase, SuiteCaseInput, SuiteCases, SuiteResult, SuiteRunRequest } from './suite_schemas';
import type { SuiteService } from './suite_service';
import { toWireCase, toWireResult, toWireSuites } from './wire_suite';

const { Get, Post, Delete } = routesWith({ scope: 'chat', tag: REPLAY_TAG });

const SUITE_RESULT = named('SuiteResult', SuiteResult);

@Controller('/api/v1/suites')
export class SuitesController extends RestController {
  @InjectService<ReplayServices>() suiteService!: SuiteService;
  @InjectService<ReplayServices>() keyedReplays!: KeyedReplays;

  @Get('/', 'listSuites', {
    summary: { en: 'List the suites with their newest results', 'zh-CN': '列出测试集及其最新结果' },
    query: ListQuery,
    answers: page(named('Suite', Suite)),
  })
  async list() {
    const query = queryOf(this.ctx, ListQuery);
    return listOrPage(toWireSuites(await this.suiteService.listCases(tenantOf(this.ctx))), query, ({ name }) => name);
  }

  @Post('/', 'addSuiteCase', {
    // The case is a copy that the whole tenant replays.
    session: 'own',
    summary: { en: 'Add a run to a suite', 'zh-CN': '把一个运行加入测试集' },
    description: {
      en: 'A suite begins with its first case. The case keeps a copy of the run, also when the run is deleted. Without checks it expects the same calls.',
      'zh-CN': '测试集从第一个用例开始。用例保存运行的副本，运行被删除后依然存在。没有 checks 时要求调用相同。',
    },
    headers: IdempotencyHeader,
    body: SuiteCaseInput,
    answers: { 201: { description: { en: 'The case', 'zh-CN': '用例' }, json: named('SuiteCase', SuiteCase) } },
    errors: ['forbidden', 'not_found', 'not_recorded', 'too_large', 'quota_exceeded', 'idempotency_mismatch', 'store_unavailable'],
  })
  async add() {
    const input = bodyOf(this.ctx, SuiteCaseInput);
    const once = onceOf(this.ctx, 'addSuiteCase', input);
    const added = await this.suiteService.addCase(principalOf(this.ctx), input, once);
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    return toWireCase(added);
  }

  @Get('/:name', 'getSuite', {
    summary: { en: 'Read the cases of a suite', 'zh-CN': '读取一个测试集的用例' },
    answers: done(named('SuiteCases', SuiteCases)),
  })
  async get(@Param('name') name: string) {
    return { name, cases: (await this.suiteService.casesOf(tenantOf(this.ctx), decodeId(name))).map(toWireCase) };
  }

  @Post('/:name/run', 'runSuite', {
    summary: { en: 'Replay and check the cases of a suite', 'zh-CN': '重放并检查一个测试集的用例' },
    headers: IdempotencyHeader,
    body: SuiteRunRequest,
    answers: done(SUITE_RESULT),
    errors: ['idempotency_mismatch', 'quota_exceeded', 'rate_limited', 'draining', 'not_accepting', 'store_unavailable'],
  })
  async run(@Param('name') name: string) {
    return this.runOnce('runSuite', { suite: decodeId(name) });
  }

  @Post('/:name/cases/:caseId/run', 'runSuiteCase', {
    summary: { en: 'Replay and check one case of a suite', 'zh-CN': '重放并检查测试集的一个用例' },
    headers: IdempotencyHeader,
    body: SuiteRunRequest,
    answers: done(SUITE_RESULT),
    errors: ['idempotency_mismatch', 'quota_exceeded', 'rate_limited', 'draining', 'not_accepting', 'store_unavailable'],
  })
  async runCase(@Param('name') name: string, @Param('caseId') caseId: string) {
    return this.runOnce('runSuiteCase', { suite: decodeId(name), caseId: decodeId(caseId) });
  }

  private async runOnce(operation: string, { suite, caseId }: { suite: string; caseId?: string }) {
    const { tenantId, keyName } = principalOf(this.ctx);
    const { model } = bodyOf(this.ctx, SuiteRunRequest);
    const once = onceOf(this.ctx, operation, { suite, caseId, model });
    const request = { tenantId, once, signal: closedSignal(this.ctx) };
    const { answer, isRepeated } = await this.keyedReplays.answerOnce(request, async signal =>
      toWireResult(await this.suiteService.runSuite(suite, { model, caseId }, { tenantId, keyName, signal })),
    );
    if (isRepeated) markReplay(this.ctx, once);
    return answer;
  }

  @Delete('/:name', 'deleteSuite', {
    summary: { en: 'Delete a suite', 'zh-CN': '删除一个测试集' },
    answers: { 204: { description: { en: 'The suite is deleted', 'zh-CN': '测试集已删除' } } },
    errors: ['store_unavailable'],
  })
  async delete(@Param('name') name: string) {
    await this.suiteService.deleteSuite(principalOf(this.ctx), decodeId(name));
    this.ctx.status = 204;
  }

  @Delete('/:name/cases/:caseId', 'deleteSuiteCase', {
    summary: { en: 'Delete a case', 'zh-CN': '删除一个用例' },
    answers: { 204: { description: { en: 'The case is deleted', 'zh-CN': '用例已删除' } } },
    errors: ['store_unavailable'],
  })
  async deleteCase(@Param('name') name: string, @Param('caseId') caseId: string) {
    await this.suiteService.deleteCase(principalOf(this.ctx), decodeId(name), decodeId(caseId));
    this.ctx.status = 204;
  }
}
