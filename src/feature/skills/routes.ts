/** DOOR 2, the skills of the operator and of the tenant. */
import { Controller, Param } from '@midwayjs/core';
import { bodyOf, encodePage, pageOf, principalOf, queryOf, tenantOf, writtenLocaleOf } from '../../controller/http_request';
import { pageOfList } from '../../controller/list_pages';
import { done, page, RestController, routesWith } from '../../controller/route';
import { named } from '../../controller/schemas/answers';
import { LanguageHeader } from '../../controller/schemas/common';
import { InjectService } from '../../inject_service';
import type { Locale } from '../../port/store/sessions';
import type { ServiceSettings } from '../../service/service_settings';
import { PatchSkillRequest, PutSkillRequest, Skill, SkillDetail, SkillsQuery } from './schemas';
import { asAppErrors } from './skill_errors';
import type { SkillService, SkillServices } from './skill_service';
import { isText, toWireSkill, toWireSkillDetail } from './wire_skills';

const TAG = {
  name: 'skills',
  description: { en: 'Instructions that an agent reads when a task needs them.', 'zh-CN': '智能体在任务需要时读取的说明。' },
};
const DETAIL = named('SkillDetail', SkillDetail);

const { Get, Put, Patch, Delete } = routesWith({ tag: TAG });

@Controller('/api/v1/skills')
export class SkillsController extends RestController {
  @InjectService<SkillServices>() skillService!: SkillService;
  @InjectService() serviceSettings!: ServiceSettings;

  @Get('/', 'listSkills', {
    scope: ['chat:read', 'admin'],
    summary: { en: 'List the skills', 'zh-CN': '列出技能' },
    description: {
      en: 'A skill with mistakes is a row with `enabled: false` and its problems.',
      'zh-CN': '有错误的技能也会列出：`enabled: false`，并附上错误。',
    },
    headers: LanguageHeader,
    query: SkillsQuery,
    answers: page(named('Skill', Skill)),
    isDocument: true,
  })
  async list() {
    const query = queryOf(this.ctx, SkillsQuery);
    const { session } = query;
    const tenantId = tenantOf(this.ctx);
    const skills = await this.skillService.listSkills(tenantId);
    const active = session === undefined ? undefined : await this.skillService.listActivated(tenantId, session);
    return encodePage(
      pageOfList(skills, pageOf(query), ({ name }) => name),
      skill => toWireSkill(skill, this.locale, active),
    );
  }

  @Get('/:name', 'getSkill', {
    scope: ['chat:read', 'admin'],
    summary: { en: 'Read a skill', 'zh-CN': '读取一个技能' },
    headers: LanguageHeader,
    answers: done(DETAIL),
    isDocument: true,
  })
  async get(@Param('name') name: string) {
    return asAppErrors(async () => {
      const skill = await this.skillService.getSkill(tenantOf(this.ctx), name);
      return toWireSkillDetail(skill, this.locale, await this.skillService.readContent(skill));
    });
  }

  @Put('/:name', 'putSkill', {
    scope: 'admin',
    summary: { en: 'Create a skill or replace its SKILL.md', 'zh-CN': '创建技能，或替换它的 SKILL.md' },
    description: {
      en: 'The name in the front matter must be the name in the path. A skill of the operator is read-only.',
      'zh-CN': '文件头中的 name 必须与路径中的名称相同。运维人员提供的技能只读。',
    },
    body: PutSkillRequest,
    longField: 'content',
    answers: done(DETAIL),
    errors: ['forbidden', 'store_unavailable'],
  })
  async put(@Param('name') name: string) {
    const { content } = bodyOf(this.ctx, PutSkillRequest);
    return asAppErrors(async () => {
      const skill = await this.skillService.writeSkill(principalOf(this.ctx), name, { content, mode: 'put' });
      return toWireSkillDetail(skill, this.locale, Buffer.from(content));
    });
  }

  @Patch('/:name', 'switchSkill', {
    scope: 'admin',
    summary: { en: 'Turn a skill on or off', 'zh-CN': '启用或停用技能' },
    description: {
      en: 'Works for skills of the operator too; it changes no file of theirs.',
      'zh-CN': '对运维人员提供的技能同样有效，但不会改动它们的文件。',
    },
    body: PatchSkillRequest,
    longField: 'content',
    answers: done(DETAIL),
    errors: ['store_unavailable'],
  })
  async switch(@Param('name') name: string) {
    const { enabled } = bodyOf(this.ctx, PatchSkillRequest);
    return asAppErrors(async () => {
      const skill = await this.skillService.switchSkill(principalOf(this.ctx), name, { enabled });
      return toWireSkillDetail(skill, this.locale, await this.skillService.readContent(skill));
    });
  }

  @Delete('/:name', 'deleteSkill', {
    scope: 'admin',
    summary: { en: 'Delete a skill with all its files', 'zh-CN': '删除技能及其所有文件' },
    answers: { 204: { description: { en: 'The skill is deleted', 'zh-CN': '技能已删除' } } },
    errors: ['forbidden', 'store_unavailable'],
  })
  async remove(@Param('name') name: string) {
    await asAppErrors(() => this.skillService.removeSkill(principalOf(this.ctx), name));
    this.ctx.status = 204;
  }

  @Get('/:name/files/:path(.*)', 'getSkillFile', {
    scope: ['chat:read', 'admin'],
    summary: { en: 'Read one file of a skill', 'zh-CN': '读取技能的一个文件' },
    description: {
      en: 'Text is sent as `text/plain`, anything else as a download. The path may contain slashes.',
      'zh-CN': '文本以 `text/plain` 发送，其他内容作为下载发送。路径可以包含斜杠。',
    },
    answers: { 200: { description: { en: 'The bytes of the file', 'zh-CN': '文件的字节' } } },
    isDocument: true,
  })
  async file(@Param('name') name: string, @Param('path') path = '') {
    const bytes = Buffer.from(await asAppErrors(() => this.skillService.readFile(tenantOf(this.ctx), name, { path })));
    // A file of a skill must never run as a page of this origin.
    this.ctx.type = isText(bytes) ? 'text/plain; charset=utf-8' : 'application/octet-stream';
    if (!isText(bytes)) this.ctx.set('content-disposition', 'attachment');
    return bytes;
  }

  private get locale(): Locale {
    return writtenLocaleOf(this.ctx, this.serviceSettings.defaultLocale);
  }
}
