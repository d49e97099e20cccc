/** Tools from YAML manifests: programs of the operator that agents call. */
import { hasSearchService } from '../../../config/settings/search_service';
import type { Feature } from '../../feature';
import { ManifestCatalog } from './manifest_catalog';

export const manifests: Feature = {
  name: 'manifests',
  install({ settings, ports, tools: registry, configReloads }) {
    const { configFiles: files, toolProcesses, workspaces, clock, ids, redactor, logger } = ports;
    const catalog = new ManifestCatalog({
      files,
      toolProcesses,
      workspaces,
      clock,
      ids,
      redactor,
      registry,
      hasSearch: hasSearchService(settings),
      configReloads,
      onError: logger.error,
      onInfo: logger.info,
    });
    return {
      start: () => catalog.start(),
      stop: () => catalog.stop(),
      toolProblems: () => catalog.warnings(),
    };
  },
};
