/** Skills: instructions in folders, which an agent reads when a task needs them. Its tools are in tools/builtin. */
import type { Feature } from '../../feature';
import { SkillsController } from './routes';
import { skillAccessOf } from './skill_access';
import { SkillCatalog } from './skill_catalog';
import { SkillService, type SkillServices } from './skill_service';

export const skills: Feature = {
  name: 'skills',
  routes: [SkillsController],
  install({ ports: { skillFiles: files, patchEngine, store, logger }, auditLog, configReloads }) {
    const catalog = new SkillCatalog({ files, configReloads, onError: logger.error });
    const skillService = new SkillService({ files, catalog, patchEngine, store, auditLog });
    return {
      services: { skillService } satisfies SkillServices,
      skills: {
        promptSkills: (tenantId, locale) => catalog.promptSkills(tenantId, locale),
        listWantedTools: (tenantId, sessionId, read) => skillService.listWantedTools(tenantId, sessionId, read),
      },
      toolAccess: caller => ({ skills: skillAccessOf(skillService, caller) }),
      warnings: () => catalog.warnings(),
      start: () => catalog.start(),
    };
  },
};
