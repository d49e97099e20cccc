/** DOOR 2, memories: what the agent knows from earlier sessions, for the person to read, correct and delete. */
import { Readable } from 'node:stream';
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, markReplay, onceOf, pageOf, principalOf, queryOf } from '../../controller/http_request';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader } from '../../controller/schemas/common';
import { NOT_SEEN_ANSWER } from '../../controller/schemas/owned_schemas';
import { AppError } from '../../errors';
import { InjectService } from '../../inject_service';
import type { OwnedThings, ThingUser } from '../../service/access/owned_things';
import { decodeId } from '../../wire/decode';
import type { MemoryService, MemoryServices } from './memory_service';
import { MemoriesQuery, Memory, MemoryChange, MemoryInput, SavedMemory } from './schemas';
import type { MemoryRecord } from './store/memory_records';
import { toWireMemory } from './wire_memory';

const TAG = {
  name: 'memories',
  description: {
    en: 'What agents and people keep for later sessions.',
    'zh-CN': '智能体和用户为以后的会话保留的内容。',
  },
};
const MEMORY = named('Memory', Memory);
const SAVED = named('SavedMemory', SavedMemory);

const { Get, Post, Patch, Delete } = routesWith({ scope: 'chat', tag: TAG });

@Controller('/api/v1/memories')
export class MemoriesController extends RestController {
  @InjectService<MemoryServices>() memoryService!: MemoryService;
  @InjectService() ownedThings!: OwnedThings;

  @Get('/', 'listMemories', {
    summary: { en: 'List or search memories, most recently changed first', 'zh-CN': '列出或搜索记忆，最近改动的在前' },
    query: MemoriesQuery,
    answers: page(MEMORY),
  })
  async list() {
    const { q, kind, ...rest } = queryOf(this.ctx, MemoriesQuery);
    const filter = { query: q !== undefined && q.trim() !== '' ? q : undefined, kind };
    return encodePage(await this.memoryService.listMemories(this.user, filter, pageOf(rest)), toWireMemory);
  }

  @Post('/', 'saveMemory', {
    summary: { en: 'Save a memory', 'zh-CN': '保存一条记忆' },
    description: {
      en: 'The same words again update the memory that has them. When a memory says nearly the same, nothing is stored and that memory is the answer, unless `force` is set. Keys and passwords are refused.',
      'zh-CN': '用词相同时更新已有的记忆。已有几乎相同的记忆时不保存，并返回那一条，除非设置了 `force`。密钥和密码会被拒绝。',
    },
    headers: IdempotencyHeader,
    body: MemoryInput,
    longField: 'text',
    answers: {
      201: {
        description: { en: 'The memory is saved; Location says where', 'zh-CN': '记忆已保存；Location 指明位置' },
        json: SAVED,
      },
      200: { description: { en: 'A memory with these words existed', 'zh-CN': '已有这样的记忆' }, json: SAVED },
    },
    errors: ['quota_exceeded', 'idempotency_mismatch'],
  })
  async save() {
    const input = bodyOf(this.ctx, MemoryInput);
    const once = onceOf(this.ctx, 'saveMemory', input);
    const { status, memory } = await this.memoryService.addMemory(this.user, input, once);
    markReplay(this.ctx, once);
    if (status === 'created') {
      this.ctx.status = 201;
      this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/memories/${memory.id}`);
    }
    return { ...toWireMemory(memory), outcome: status };
  }

  @Get('/export', 'exportMemories', {
    summary: { en: 'Download all memories as JSON lines', 'zh-CN': '以 JSON 行的形式下载全部记忆' },
    answers: { 200: { description: { en: 'One memory a line', 'zh-CN': '每行一条记忆' }, lines: MEMORY } },
  })
  async export() {
    this.ctx.set('content-type', 'application/x-ndjson; charset=utf-8');
    this.ctx.set('content-disposition', 'attachment; filename="memories.jsonl"');
    return Readable.from(toLines(await this.memoryService.exportMemories(this.user)));
  }

  @Get('/:id', 'getMemory', {
    summary: { en: 'Read a memory', 'zh-CN': '读取一条记忆' },
    answers: done(MEMORY),
  })
  async get(@Param('id') id: string) {
    return toWireMemory(await this.memoryService.getMemory(this.user, decodeId(id)));
  }

  @Patch('/:id', 'updateMemory', {
    summary: { en: 'Correct a memory, or change who sees it', 'zh-CN': '更正一条记忆，或更改谁能看到它' },
    description: {
      en: 'Fields that are left out stay as they are. Sessions that have the memory in their prompt read the new text from their next turn on.',
      'zh-CN': '省略的字段保持不变。提示词中含有这条记忆的会话从下一轮起读到新的文字。',
    },
    body: MemoryChange,
    longField: 'text',
    answers: { ...done(MEMORY), ...NOT_SEEN_ANSWER },
    errors: ['forbidden'],
  })
  async update(@Param('id') id: string) {
    const change = bodyOf(this.ctx, MemoryChange);
    const changed = await this.memoryService.updateMemory(this.user, decodeId(id), change);
    if (changed) return toWireMemory(changed);
    this.ctx.status = 204;
    return undefined;
  }

  @Delete('/:id', 'deleteMemory', {
    summary: { en: 'Delete a memory', 'zh-CN': '删除一条记忆' },
    description: {
      en: 'It also leaves the prompts of all sessions, from their next turn on.',
      'zh-CN': '从下一轮起，它也不再出现在任何会话的提示词中。',
    },
    answers: { 204: { description: { en: 'The memory is deleted', 'zh-CN': '记忆已删除' } } },
    errors: ['forbidden'],
  })
  async remove(@Param('id') id: string) {
    if (!(await this.memoryService.deleteMemory(this.user, decodeId(id)))) throw new AppError('not_found');
    this.ctx.status = 204;
  }

  private get user(): ThingUser {
    return this.ownedThings.userOf(principalOf(this.ctx));
  }
}

async function* toLines(pages: AsyncIterable<readonly MemoryRecord[]>): AsyncGenerator<string> {
  for await (const memories of pages) yield memories.map(memory => `${JSON.stringify(toWireMemory(memory))}\n`).join('');
}
