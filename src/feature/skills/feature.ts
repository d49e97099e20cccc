/** Skills: instructions in folders, which an agent reads when a task needs them. The tools of agents are in tools/. */
import type { Feature } from '../../feature';
import { SkillsController } from './routes';
import { skillAccessOf } from './skill_access';
import { SkillCatalog } from './skill_catalog';
import { SkillService, type SkillServices } from './skill_service';
import { readSkillTool } from './tools/read_skill';
import { readSkillFileTool } from './tools/read_skill_file';
import { skillManageTool } from './tools/skill_manage';

export const skills: Feature = {
  name: 'skills',
  routes: [SkillsController],
  tools: [readSkillTool, readSkillFileTool, skillManageTool],
  install({ ports: { skillFiles: files, patchEngine, store, logger }, auditLog, configReloads }) {
    const catalog = new SkillCatalog({ files, configReloads, onError: logger.error });
    const skillService = new SkillService({ files, catalog, patchEngine, store, auditLog });
    return {
      services: { skillService } satisfies SkillServices,
      skills: {
        promptSkills: (tenantId, locale) => catalog.promptSkills(tenantId, locale),
        listWantedTools: (tenantId, sessionId, read) => skillService.listWantedTools(tenantId, sessionId, read),
        listSkills: tenantId => skillService.listEnabled(tenantId),
        readSkill: (tenantId, name) => skillService.readEnabled(tenantId, name),
      },
      toolAccess: caller => ({ skills: skillAccessOf(skillService, caller) }),
      warnings: () => catalog.warnings(),
      start: () => catalog.start(),
    };
  },
};
