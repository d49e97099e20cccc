/** DOOR 2, the prompt library: texts that people insert into messages by name. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, markReplay, onceOf, pageOf, principalOf, queryOf, tenantOf } from '../../controller/http_request';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { IdempotencyHeader } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import { decodeId } from '../../wire/decode';
import type { PromptService, PromptServices } from './prompt_service';
import { Prompt, PromptChange, PromptInput, PromptsQuery } from './schemas';
import { toWirePrompt } from './wire_prompt';

const TAG = {
  name: 'prompts',
  description: { en: 'Prompts that a tenant keeps for its people.', 'zh-CN': '租户为其成员保存的提示词。' },
};
const PROMPT = named('Prompt', Prompt);

const { Get, Post, Patch, Delete } = routesWith({ scope: 'chat', tag: TAG });

@Controller('/api/v1/prompts')
export class PromptsController extends RestController {
  @InjectService<PromptServices>() promptService!: PromptService;

  @Get('/', 'listPrompts', {
    summary: { en: 'List or search prompts, most recently changed first', 'zh-CN': '列出或搜索提示词，最近改动的在前' },
    query: PromptsQuery,
    answers: page(PROMPT),
  })
  async list() {
    const { q, prefix, ...rest } = queryOf(this.ctx, PromptsQuery);
    return encodePage(await this.promptService.listPrompts(tenantOf(this.ctx), { words: q, prefix }, pageOf(rest)), toWirePrompt);
  }

  @Post('/', 'createPrompt', {
    summary: { en: 'Add a prompt', 'zh-CN': '添加提示词' },
    headers: IdempotencyHeader,
    body: PromptInput,
    longField: 'text',
    answers: { 201: { description: { en: 'The prompt; Location says where', 'zh-CN': '提示词；Location 指明位置' }, json: PROMPT } },
    errors: ['quota_exceeded', 'idempotency_mismatch', 'store_unavailable'],
  })
  async create() {
    const input = bodyOf(this.ctx, PromptInput);
    const once = onceOf(this.ctx, 'createPrompt', input);
    const prompt = await this.promptService.createPrompt(principalOf(this.ctx), input, once);
    markReplay(this.ctx, once);
    this.ctx.status = 201;
    this.ctx.set('location', `${this.ctx.state.basePath}/api/v1/prompts/${prompt.id}`);
    return toWirePrompt(prompt);
  }

  @Get('/:id', 'getPrompt', {
    summary: { en: 'Read a prompt', 'zh-CN': '读取提示词' },
    answers: done(PROMPT),
  })
  async get(@Param('id') id: string) {
    return toWirePrompt(await this.promptService.getPrompt(tenantOf(this.ctx), decodeId(id)));
  }

  @Patch('/:id', 'updatePrompt', {
    summary: { en: 'Change a prompt', 'zh-CN': '更改提示词' },
    description: { en: 'Fields that are left out stay as they are.', 'zh-CN': '省略的字段保持不变。' },
    body: PromptChange,
    longField: 'text',
    answers: done(PROMPT),
    errors: ['store_unavailable'],
  })
  async update(@Param('id') id: string) {
    const change = bodyOf(this.ctx, PromptChange);
    return toWirePrompt(await this.promptService.updatePrompt(principalOf(this.ctx), decodeId(id), change));
  }

  @Delete('/:id', 'deletePrompt', {
    summary: { en: 'Delete a prompt', 'zh-CN': '删除提示词' },
    answers: { 204: { description: { en: 'The prompt is deleted', 'zh-CN': '提示词已删除' } } },
    errors: ['store_unavailable'],
  })
  async remove(@Param('id') id: string) {
    await this.promptService.deletePrompt(tenantOf(this.ctx), decodeId(id));
    this.ctx.status = 204;
  }
}
