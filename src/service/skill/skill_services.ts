/** Builds the services of skills. */
import type { LogError } from '../../port/logger';
import type { SkillFiles } from '../../port/skill_files';
import type { ConfigReloads } from '../audit/config_reloads';
import { SkillAccessService } from './skill_access_service';
import { SkillCatalog } from './skill_catalog';
import { SkillService, type SkillServiceDeps } from './skill_service';

type Deps = Omit<SkillServiceDeps, 'files' | 'catalog'> & {
  skillFiles: SkillFiles;
  logger: { error: LogError };
  configReloads: Pick<ConfigReloads, 'recordChanges'>;
};

export function createSkillServices({ skillFiles: files, logger, ...ports }: Deps) {
  const skillCatalog = new SkillCatalog({ ...ports, files, onError: logger.error });
  const skillService = new SkillService({ ...ports, files, catalog: skillCatalog });
  return { skillCatalog, skillService, skillAccess: new SkillAccessService(skillService) };
}
