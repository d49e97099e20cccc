/** DOOR 2, chats as files: the export of one, and the import of another program's. */
import { Readable } from 'node:stream';
import { Controller, Param } from '@midwayjs/core';
import type { Context } from '@midwayjs/koa';
import { localeOf, principalOf, queryOf, sendExport, tenantOf } from '../../controller/http_request';
import { done, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { InjectService } from '../../inject_service';
import type { ServiceSettings } from '../../service/service_settings';
import type { SessionService } from '../../service/session/session_service';
import { decodeId } from '../../wire/decode';
import type { ChatExporter } from './chat_exporter';
import type { ChatFileServices, ChatImporter } from './chat_importer';
import { ExportQuery, ImportedChats } from './schemas';

const { Get, Post } = routesWith({ scope: 'chat', tag: 'sessions' });

@Controller('/api/v1')
export class ChatFilesController extends RestController {
  @InjectService() sessionService!: SessionService;
  @InjectService() serviceSettings!: ServiceSettings;
  @InjectService<ChatFileServices>() chatExporter!: ChatExporter;
  @InjectService<ChatFileServices>() chatImporter!: ChatImporter;

  @Get('/sessions/:id/export', 'exportSession', {
    summary: { en: 'Download a session', 'zh-CN': '下载会话' },
    description: {
      en: 'By default as JSON lines, with everything: the session, its messages, runs, events, questions and tool executions, and the sessions of its child runs. Each line is { type, data }, with data in the form of the route for one such thing. `format` asks for another file. The audit log records the export.',
      'zh-CN':
        '默认为 JSON 行，包含全部内容：会话及其消息、运行、事件、问题、工具执行记录，以及子运行的会话。每行为 { type, data }，data 与单独读取该类内容的路由形式相同。`format` 可要求其他文件。会记入审计日志。',
    },
    query: ExportQuery,
    answers: {
      200: {
        description: { en: 'One thing a line, or the file', 'zh-CN': '每行一项，或所要求的文件' },
        lines: 'ExportedItem',
        bytes: ['application/json', 'text/markdown', 'text/html'],
      },
    },
    errors: ['store_unavailable'],
  })
  async export(@Param('id') id: string) {
    const sessionId = decodeId(id);
    const { format = 'lines', locale } = queryOf(this.ctx, ExportQuery);
    const items = await this.sessionService.exportSession(principalOf(this.ctx), sessionId);
    if (format === 'lines') return sendExport(this.ctx, sessionId, items);
    const file = this.chatExporter.toFile(await this.sessionService.getSession(tenantOf(this.ctx), sessionId), items, {
      format,
      locale: locale ?? localeOf(this.ctx, this.serviceSettings.defaultLocale),
    });
    setFileName(this.ctx, file.name);
    this.ctx.set('content-type', file.type);
    return Readable.from(file.text);
  }

  @Post('/imports', 'importChats', {
    summary: { en: "Import another program's chats", 'zh-CN': '导入其他程序的对话' },
    description: {
      en: 'The body is the file: conversations.json of a ChatGPT export, or a JSON export of LibreChat or Open WebUI, at most 25 MiB. Of a chat with branches, the current path comes in. A chat that was imported within a day is not imported twice.',
      'zh-CN':
        '请求体即文件：ChatGPT 导出的 conversations.json，或 LibreChat、Open WebUI 导出的 JSON，最大 25 MiB。有分支的对话导入当前路径。一天内导入过的对话不会重复导入。',
    },
    upload: true,
    answers: done(named('ImportedChats', ImportedChats)),
    errors: ['rate_limited', 'store_unavailable'],
  })
  async import() {
    const { req, res } = this.ctx;
    const end = new AbortController();
    res.once('close', () => end.abort());
    this.ctx.status = 200;
    try {
      return await this.chatImporter.importFile(principalOf(this.ctx), req.iterator({ destroyOnReturn: false }), end.signal);
    } finally {
      // Reads the rest of this request, because the next request on the connection comes behind it.
      req.resume();
    }
  }
}

/** Names in other letters go in the form of RFC 8187. */
function setFileName(ctx: Context, name: string): void {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_');
  ctx.set('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll("'", '%27')}`);
}
