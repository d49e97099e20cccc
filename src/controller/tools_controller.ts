/** DOOR 2, tools: the catalog, the execution log, and direct calls. */

import { Controller } from '@midwayjs/core';
import { AppError, invalidField } from '../errors';
import { InjectService } from '../inject_service';
import { FILE_CHANGING_TOOLS } from '../port/file_changing_tools';
import type { Locale } from '../port/store/sessions';
import type { SessionAccess } from '../service/access/session_access';
import type { OncePerKey } from '../service/once_per_key';
import type { AgentExecutor } from '../service/run/agent_executor';
import type { ServiceSettings } from '../service/service_settings';
import type { DirectCall, DirectCallService } from '../service/tool/direct_call_service';
import type { ToolService } from '../service/tool/tool_service';
import type { UndoService } from '../service/tool/undo_service';
import type { WholeResults } from '../service/tool/whole_results';
import { flagOf } from '../utils/flag_of';
import { LONG_JSON_UNITS, yieldToEventLoop } from '../utils/yield_to_event_loop';
import { decode, decodeId } from '../wire/decode';
import { toWireToolExecution } from '../wire/wire_records';
import { closedSignal } from './closed_signal';
import {
  anyBodyOf,
  checkObjectSize,
  encodePage,
  markReplay,
  onceOf,
  pageOf,
  principalOf,
  queryOf,
  sinceOf,
  tenantOf,
  traceOf,
  writtenLocaleOf,
} from './http_request';
import { listOrPage } from './list_pages';
import { wantsAsync } from './preferences';
import { done, page, RestController, routesWith } from './route';
import { LanguageHeader, ListQuery } from './schemas/common';
import {
  MAX_RESULT_PAGE,
  ToolCallHeaders,
  ToolCallRequest,
  ToolExecutionsQuery,
  ToolResultQuery,
  ToolsQuery,
} from './schemas/tool_schemas';

const { Get, Post } = routesWith({ tag: 'tools' });

@Controller('/api/v1')
export class ToolsController extends RestController {
  @InjectService() toolService!: ToolService;
  @InjectService() sessionAccess!: SessionAccess;
  @InjectService() directCallService!: DirectCallService;
  @InjectService() undoService!: UndoService;
  @InjectService() wholeResults!: WholeResults;
  @InjectService() agentExecutor!: AgentExecutor;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/tools', 'listTools', {
    scope: 'any',
    summary: { en: 'List the tools', 'zh-CN': '列出工具' },
    description: {
      en: 'Built-in tools, methods of classes, and tools of MCP servers and manifests, also those that cannot run. Calls and errors are those of this gateway process since countedSince.',
      'zh-CN': '内置工具、类的方法、MCP 服务器和清单中的工具，不能运行的也在内。calls 和 errors 由本进程从 countedSince 起统计。',
    },
    headers: LanguageHeader,
    query: ToolsQuery,
    answers: page('Tool'),
    isDocument: true,
  })
  async tools() {
    const { toolset, origin, enabled, ...page } = queryOf(this.ctx, ToolsQuery);
    const filter = { toolset, origin, enabled: flagOf(enabled) };
    return listOrPage(this.toolService.listTools(tenantOf(this.ctx), this.locale, filter), page, ({ name }) => name);
  }

  @Get('/toolsets', 'listToolsets', {
    scope: 'any',
    summary: { en: 'List the toolsets', 'zh-CN': '列出工具集' },
    query: ListQuery,
    answers: page('Toolset'),
    isDocument: true,
  })
  async toolsets() {
    const query = queryOf(this.ctx, ListQuery);
    return listOrPage(this.toolService.listToolsets(tenantOf(this.ctx)), query, ({ name }) => name);
  }

  @Post('/tools/call', 'callTool', {
    scope: 'tools',
    summary: { en: 'Call one tool', 'zh-CN': '直接调用一个工具' },
    description: {
      en: 'Runs outside any run, in the same workspace and sandbox. A tool that fails is a result with status "error", not an HTTP error. With Prefer: respond-async the call goes on in the background, and its execution has the answer later.',
      'zh-CN':
        '不属于任何运行，使用同一个工作区和沙箱。工具失败是 status 为 "error" 的结果，而不是 HTTP 错误。带 Prefer: respond-async 时调用在后台继续，之后可从对应的执行记录读取结果。',
    },
    headers: ToolCallHeaders,
    body: ToolCallRequest,
    longField: 'parameters',
    answers: {
      ...done('ToolCallResult'),
      202: {
        description: { en: 'The call runs; Location names its execution', 'zh-CN': '调用正在执行；Location 指向它的执行记录' },
        json: 'ToolExecution',
      },
    },
    errors: ['not_found', 'idempotency_mismatch', 'draining', 'rate_limited'],
  })
  async call() {
    if (this.agentExecutor.draining) throw new AppError('draining', { retryAfterMs: 5_000 });
    const signal = closedSignal(this.ctx);
    const body = anyBodyOf(this.ctx);
    // The body was parsed just now; walking all its values takes a turn of the event loop of its own.
    if ((this.ctx.request.length ?? Infinity) > LONG_JSON_UNITS) await yieldToEventLoop();
    const { toolName, command, parameters = {}, timeout, context } = decode(ToolCallRequest, body);
    if (context) checkObjectSize('context', context);
    const { tenantId, keyName } = principalOf(this.ctx);
    const call: DirectCall = {
      tenantId,
      keyName,
      toolName,
      command,
      parameters,
      locale: context?.locale ?? this.locale,
      timeout,
      trace: traceOf(this.ctx),
      context,
    };
    const isAsync = wantsAsync(this.ctx);
    const once = onceOf(this.ctx, 'callTool', { toolName, command, parameters, timeout, context });
    if (isAsync || once.request) return this.startCall(call, { isAsync, once });
    this.ctx.status = 200;
    return this.directCallService.callTool(call, signal);
  }

  /** The call goes on when its caller leaves: a caller with a key comes back for the answer. */
  private async startCall(call: DirectCall, { isAsync, once }: { isAsync: boolean; once: OncePerKey }) {
    const execution = await this.directCallService.startCall(call, once);
    markReplay(this.ctx, once);
    this.ctx.status = 200;
    if (!isAsync) return this.directCallService.waitForAnswer(call, execution.id);
    this.ctx.set('preference-applied', 'respond-async');
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/tool-executions/${execution.id}`);
    this.ctx.status = 202;
    return toWireToolExecution(execution);
  }

  @Get('/tool-executions', 'listToolExecutions', {
    guests: 'session',
    scope: 'chat:read',
    summary: { en: 'Read the log of tool calls, newest first', 'zh-CN': '读取工具调用日志，最新的在前' },
    query: ToolExecutionsQuery,
    answers: page('ToolExecution'),
  })
  async executions() {
    const { tool, changes, status, session, run, since, command, user, agent, ...rest } = queryOf(this.ctx, ToolExecutionsQuery);
    const filter = {
      toolOrManifest: tool,
      tools: changes === 'true' ? FILE_CHANGING_TOOLS : undefined,
      command,
      user,
      agent,
      status,
      sessionId: session,
      runId: run,
      since: since === undefined ? undefined : sinceOf(since),
    };
    const { data: all, ...page } = await this.toolService.listExecutions(tenantOf(this.ctx), filter, pageOf(rest));
    const data = await this.sessionAccess.keepSeen(principalOf(this.ctx), all, ({ sessionId }) => sessionId);
    const rows = await Promise.all(data.map(async execution => ({ execution, state: await this.undoService.stateOf(execution) })));
    return encodePage({ ...page, data: rows }, ({ execution, state }) => ({ ...toWireToolExecution(execution), ...state }));
  }

  @Get('/tool-executions/:id', 'getToolExecution', {
    guests: 'session',
    scope: ['chat:read', 'tools'],
    summary: { en: 'Read one tool call', 'zh-CN': '读取一次工具调用' },
    description: {
      en: 'For a call that was made with Prefer: respond-async, answer has the whole result once the call has ended.',
      'zh-CN': '对于带 Prefer: respond-async 的调用，结束后 answer 中有完整结果。',
    },
    answers: done('ToolExecutionDetail'),
  })
  async execution() {
    const { execution, answer } = await this.directCallService.findExecution(tenantOf(this.ctx), decodeId(this.ctx.params.id));
    return { ...toWireToolExecution(execution), ...(await this.undoService.stateOf(execution)), answer };
  }

  @Get('/tool-executions/:id/result', 'getToolResult', {
    guests: 'session',
    scope: ['chat:read', 'tools'],
    summary: { en: 'Read the whole result of a tool call', 'zh-CN': '读取工具调用的完整结果' },
    description: {
      en: 'In pages of characters, with the places of words. Results that were truncated for the model are kept as files of the workspace until their session is deleted; complete is false when that file is gone or was changed.',
      'zh-CN':
        '按字符分页，可查找文字的位置。为模型截断的结果保存为工作区的文件，直到会话被删除；文件已不在或被改动时，complete 为 false。',
    },
    query: ToolResultQuery,
    answers: done('ToolResultPage'),
  })
  async result() {
    const { offset = '0', limit = '50000', q } = queryOf(this.ctx, ToolResultQuery);
    const size = Number(limit);
    if (size < 1 || size > MAX_RESULT_PAGE)
      throw invalidField('/limit', `must be 1 to ${MAX_RESULT_PAGE}.`, `必须是 1 到 ${MAX_RESULT_PAGE}。`);
    const query = { offset: Number(offset), limit: size, words: q };
    const { isComplete, ...page } = await this.wholeResults.readPage(tenantOf(this.ctx), decodeId(this.ctx.params.id), query);
    return { ...page, complete: isComplete };
  }

  @Post('/tool-executions/:id/undo', 'undoToolExecution', {
    scope: 'chat',
    summary: { en: 'Undo a change of a file', 'zh-CN': '撤销一次文件改动' },
    description: {
      en: 'Restores the bytes from before a call whose details say undoable, also of a file that it deleted; a file that the call made is removed. 409 undo_conflict when the change was undone already or the file was changed since.',
      'zh-CN':
        '把文件恢复到某次调用之前（其 details 中 undoable 为真），被删除的文件也能恢复；如果文件是该调用新建的，则删除。已撤销过，或文件之后又被改动时，返回 409 undo_conflict。',
    },
    answers: done('Undone'),
    errors: ['undo_conflict'],
  })
  async undo() {
    this.ctx.status = 200;
    return this.undoService.undo(tenantOf(this.ctx), decodeId(this.ctx.params.id));
  }

  @Post('/tool-executions/:id/redo', 'redoToolExecution', {
    scope: 'chat',
    summary: { en: 'Redo a change of a file that was undone', 'zh-CN': '重做一次已撤销的文件改动' },
    description: {
      en: 'Writes the bytes that the undo took away, for a call whose redo is possible. 409 undo_conflict when the change is not undone or the file was changed since the undo.',
      'zh-CN': '对 redo 为 possible 的调用，写回撤销所移除的内容。改动没有被撤销，或撤销之后文件又被改动时，返回 409 undo_conflict。',
    },
    answers: done('Redone'),
    errors: ['undo_conflict'],
  })
  async redo() {
    this.ctx.status = 200;
    return this.undoService.redo(tenantOf(this.ctx), decodeId(this.ctx.params.id));
  }

  private get locale(): Locale {
    return writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale);
  }
}
