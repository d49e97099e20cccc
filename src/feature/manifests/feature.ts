/** Tools from YAML manifests: programs of the operator that agents call. */
import { hasSearchService } from '../../../config/settings/search_service';
import type { Feature } from '../../feature';
import { ManifestCatalog } from './manifest_catalog';

export const manifests: Feature = {
  name: 'manifests',
  install({ settings, ports, tools, configReloads }) {
    const { error: onError, info: onInfo } = ports.logger;
    const catalog = new ManifestCatalog({
      ...ports,
      files: ports.configFiles,
      registry: tools,
      hasSearch: hasSearchService(settings),
      configReloads,
      onError,
      onInfo,
    });
    return {
      start: () => catalog.start(),
      stop: () => catalog.stop(),
      toolProblems: () => catalog.warnings(),
    };
  },
};
