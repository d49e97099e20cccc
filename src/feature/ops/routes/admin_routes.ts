/** DOOR 2, what operators of the whole gateway read and change: the log, files of the configuration, limits of the day, connections. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, principalOf, queryOf } from '../../../controller/http_request';
import { listOrPageByNumber } from '../../../controller/list_pages';
import { done, RestController, routesWith } from '../../../controller/route';
import { named } from '../../../controller/schemas/answers';
import { InjectService } from '../../../inject_service';
import { assertScope } from '../../../wire/assert_scope';
import { decodeId } from '../../../wire/decode';
import {
  ConfigWriteRequest,
  OpsConfigFile,
  OpsConfigWritten,
  OpsDisconnected,
  OpsLogStreamQuery,
  OpsLogs,
  OpsLogsQuery,
  OpsRaisedLimit,
  RaiseLimitRequest,
} from '../schemas/data_schemas';
import { viewOf } from '../shared/ops_view';
import { OpsEventStream } from './ops_event_stream';
import type { OpsServices } from './ops_services';

const OPERATOR = {
  en: 'For operators: the scope admin in the tenant default is needed as well.',
  'zh-CN': '仅供运维人员使用：还需要在 default 租户中有 admin 权限。',
};

const { Get, Post, Put } = routesWith({ tag: 'ops' });

@Controller('/api/v1/ops')
export class OpsAdminController extends RestController {
  @InjectService<OpsServices>() opsLogs!: OpsServices['opsLogs'];
  @InjectService<OpsServices>() opsStreams!: OpsServices['opsStreams'];
  @InjectService<OpsServices>() opsActions!: OpsServices['opsActions'];
  @InjectService<OpsServices>() configFileEditor!: OpsServices['configFileEditor'];

  @Get('/logs', 'listOpsLogs', {
    scope: 'ops:read',
    summary: { en: 'Read the last lines of the log of this process', 'zh-CN': '读取本进程日志的最近若干行' },
    description: {
      en: `From memory, without secrets; lines up to NETA_LOG_LEVEL. Accept: application/x-ndjson downloads them. ${OPERATOR.en}`,
      'zh-CN': `来自内存，不含机密；级别到 NETA_LOG_LEVEL 为止。Accept: application/x-ndjson 时下载为文件。${OPERATOR['zh-CN']}`,
    },
    query: OpsLogsQuery,
    answers: {
      200: { description: { en: 'The lines', 'zh-CN': '日志行' }, json: named('OpsLogs', OpsLogs), bytes: ['application/x-ndjson'] },
    },
    errors: ['forbidden'],
  })
  async logs() {
    assertScope(principalOf(this.ctx), 'operator');
    const { limit, cursor, ...filter } = queryOf(this.ctx, OpsLogsQuery);
    const { at, data: lines } = this.opsLogs.read(filter);
    const page = { limit, cursor };
    const answer = { at, ...listOrPageByNumber(lines, page, ({ n }) => n) };
    this.ctx.vary('Accept');
    if (this.ctx.accepts('application/json', 'application/x-ndjson') !== 'application/x-ndjson') return answer;
    this.ctx.attachment('neta.log.jsonl');
    this.ctx.set('content-type', 'application/x-ndjson; charset=utf-8');
    return answer.data.map(line => `${JSON.stringify(line)}\n`).join('');
  }

  @Get('/logs/stream', 'watchOpsLogs', {
    scope: 'ops:read',
    summary: { en: 'Follow the log of this process as an event stream', 'zh-CN': '以事件流跟踪本进程的日志' },
    description: {
      en: `Each new line is an event \`log\`. A reader that is too slow misses lines, which shows in their numbers. ${OPERATOR.en}`,
      'zh-CN': `每个新行是一个 \`log\` 事件。读得太慢会漏掉一些行，从行号可以看出。${OPERATOR['zh-CN']}`,
    },
    query: OpsLogStreamQuery,
    answers: { 200: { description: { en: 'The event stream', 'zh-CN': '事件流' }, bytes: ['text/event-stream'] } },
    errors: ['forbidden', 'rate_limited'],
  })
  async followLogs() {
    assertScope(principalOf(this.ctx), 'operator');
    const filter = queryOf(this.ctx, OpsLogStreamQuery);
    const stream = new OpsEventStream(this.ctx, 'log');
    return stream.answer(listener => {
      const release = this.opsStreams.takePlace(principalOf(this.ctx));
      const stop = this.opsLogs.watch(filter, line => listener.send(JSON.stringify(line)));
      return () => {
        stop();
        release();
      };
    });
  }

  @Get('/config/:file(.*)', 'getOpsConfigFile', {
    scope: 'ops:read',
    summary: { en: 'Read a file of the configuration with its JSON schema', 'zh-CN': '读取一个配置文件及其 JSON schema' },
    description: {
      en: `agents/<name>.yaml, approvals.yaml, limits.yaml and models.yaml. ${OPERATOR.en}`,
      'zh-CN': `agents/<名称>.yaml、approvals.yaml、limits.yaml 和 models.yaml。${OPERATOR['zh-CN']}`,
    },
    answers: done(named('OpsConfigFile', OpsConfigFile)),
    errors: ['forbidden'],
  })
  async configFile(@Param('file') file: string) {
    assertScope(principalOf(this.ctx), 'operator');
    return this.configFileEditor.readFile(file);
  }

  @Put('/config/:file(.*)', 'putOpsConfigFile', {
    scope: 'ops:write',
    summary: { en: 'Replace a file of the configuration', 'zh-CN': '替换一个配置文件' },
    description: {
      en: `The text passes the checks of the start before it is written, and counts within a second. 409 when the file is not the one of baseHash. ${OPERATOR.en}`,
      'zh-CN': `写入前进行与启动时相同的检查，一秒内生效。文件不是 baseHash 所指的版本时返回 409。${OPERATOR['zh-CN']}`,
    },
    body: ConfigWriteRequest,
    answers: done(named('OpsConfigWritten', OpsConfigWritten)),
    errors: ['forbidden', 'config_changed'],
  })
  async putConfigFile(@Param('file') file: string) {
    assertScope(principalOf(this.ctx), 'operator');
    const { text, baseHash } = bodyOf(this.ctx, ConfigWriteRequest);
    const change = { name: file, text, baseHash };
    this.ctx.status = 200;
    return this.configFileEditor.writeFile(principalOf(this.ctx), change);
  }

  @Post('/limits/raise', 'raiseOpsLimit', {
    scope: 'ops:write',
    summary: { en: 'Add to a limit of the day, for today alone', 'zh-CN': '仅为当天提高一项每日上限' },
    description: {
      en: `Other gateways on the same store follow within 2 seconds. ${OPERATOR.en}`,
      'zh-CN': `同一存储上的其他网关在 2 秒内跟随。${OPERATOR['zh-CN']}`,
    },
    body: RaiseLimitRequest,
    answers: done(named('OpsRaisedLimit', OpsRaisedLimit)),
    errors: ['forbidden'],
  })
  async raiseLimit() {
    assertScope(principalOf(this.ctx), 'operator');
    const request = bodyOf(this.ctx, RaiseLimitRequest);
    this.ctx.status = 200;
    return this.opsActions.raiseLimit(principalOf(this.ctx), request);
  }

  @Post('/connections/:id/disconnect', 'disconnectOpsConnection', {
    scope: 'ops:write',
    summary: { en: 'End a connection of this gateway', 'zh-CN': '断开本网关的一个连接' },
    description: {
      en: 'Its client may connect again: revoke the key to keep it out. Runs go on.',
      'zh-CN': '客户端可以重新连接；要阻止它请吊销密钥。运行会继续。',
    },
    answers: done(named('OpsDisconnected', OpsDisconnected)),
  })
  async disconnect(@Param('id') id: string) {
    const principal = principalOf(this.ctx);
    const connection = decodeId(id);
    await this.opsActions.disconnect(viewOf(principal), principal, connection);
    this.ctx.status = 200;
    return { id: connection, disconnected: true };
  }
}
