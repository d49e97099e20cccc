/** DOOR 2, the changes that tool calls made to files, with undo and redo. */
import { Controller, Param } from '@midwayjs/core';
import { InjectService } from '../inject_service';
import type { ChangeService } from '../service/tool/change_service';
import { decodeId } from '../wire/decode';
import { toWireChange } from '../wire/wire_records';
import { encodePage, pageOf, queryOf, tenantOf } from './http_request';
import { done, page, RestController, routesWith } from './route';
import { ChangesQuery } from './schemas/tool_schemas';

const { Get, Post } = routesWith({ scope: 'chat', tag: 'tools' });

@Controller('/api/v1')
export class ChangesController extends RestController {
  @InjectService() changeService!: ChangeService;

  @Get('/sessions/:id/changes', 'listChanges', {
    summary: { en: 'List the file changes of a session, newest first', 'zh-CN': '列出会话中的文件改动，最新的在前' },
    description: {
      en: 'Changes by tool calls of the runs of this session, of the turns that were copied into it, and of the crew members of both. GET /tool-executions?changes=true has the calls themselves, of all sessions.',
      'zh-CN':
        '由此会话的运行、复制到此会话的轮次及其团队成员的工具调用所做的改动。GET /tool-executions?changes=true 列出所有会话的调用本身。',
    },
    query: ChangesQuery,
    answers: page('Change'),
  })
  async list(@Param('id') id: string) {
    const query = pageOf(queryOf(this.ctx, ChangesQuery));
    return encodePage(await this.changeService.listChanges(tenantOf(this.ctx), decodeId(id), query), toWireChange);
  }

  @Post('/changes/:id/undo', 'undoChange', {
    summary: { en: 'Undo a file change', 'zh-CN': '撤销一次文件改动' },
    description: {
      en: 'As POST /tool-executions/{id}/undo; answers the change. 409 undo_conflict when it was undone already or the file was changed since.',
      'zh-CN': '与 POST /tool-executions/{id}/undo 相同，返回该改动。已撤销过，或文件之后又被改动时，返回 409 undo_conflict。',
    },
    answers: done('Change'),
    errors: ['undo_conflict'],
  })
  async undo(@Param('id') id: string) {
    return this.move('undo', id);
  }

  @Post('/changes/:id/redo', 'redoChange', {
    summary: { en: 'Redo a file change that was undone', 'zh-CN': '重做一次已撤销的文件改动' },
    description: {
      en: 'As POST /tool-executions/{id}/redo; answers the change. 409 undo_conflict when it is not undone or the file was changed since the undo.',
      'zh-CN': '与 POST /tool-executions/{id}/redo 相同，返回该改动。没有被撤销，或撤销之后文件又被改动时，返回 409 undo_conflict。',
    },
    answers: done('Change'),
    errors: ['undo_conflict'],
  })
  async redo(@Param('id') id: string) {
    return this.move('redo', id);
  }

  private async move(direction: 'undo' | 'redo', id: string) {
    this.ctx.status = 200;
    return toWireChange(await this.changeService.moveChange(direction, tenantOf(this.ctx), decodeId(id)));
  }
}
