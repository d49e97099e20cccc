/** The effective configuration for operators: settings with their source, files with their state, versions. */
import type { ConfigSetting } from './connection_rows';
import type { OpsDeps, OpsView } from './ops_deps';

/** Files of the configuration directory, and whether a change of one counts only after a restart. */
const FILES: readonly { name: string; isReadAtStart: boolean }[] = [
  { name: 'models.yaml', isReadAtStart: false },
  { name: 'limits.yaml', isReadAtStart: false },
  { name: 'mcp.yaml', isReadAtStart: false },
  { name: 'approvals.yaml', isReadAtStart: true },
  { name: 'agents/default.yaml', isReadAtStart: true },
];
/** Settings that models.yaml replaces. */
const OF_MODELS: ReadonlySet<string> = new Set(['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'NETA_MODEL', 'NETA_MODEL_IMAGES']);

export interface ConfigFileRow {
  name: string;
  state: 'ok' | 'absent' | 'invalid';
  changedAt?: string;
  problems: string[];
  needsRestart: boolean;
}

export interface OpsConfig {
  at: string;
  version: string;
  nodeVersion: string;
  startedAt: string;
  settings: ConfigSetting[];
  files: ConfigFileRow[];
  warnings: readonly string[];
}

/** With several tenants, an operator of one of them sees which settings are given, and not their values. */
export async function readConfig(deps: OpsDeps, view: OpsView): Promise<OpsConfig> {
  const { clock, version, host, readiness, models, listSettings } = deps;
  const warnings = readiness.listWarnings();
  const isFromFile = models.source === 'models.yaml';
  const isShared = view.tenantId !== undefined && new Set(deps.listActors({}).map(({ tenantId }) => tenantId)).size > 1;
  const settings = listSettings()
    .map(row => (isFromFile && OF_MODELS.has(row.name) ? { ...row, source: 'file' as const } : row))
    .map(row => (isShared && row.value !== undefined && row.source !== 'default' ? { ...row, value: '***', isSecret: true } : row));
  const files = await Promise.all(
    FILES.map(async ({ name, isReadAtStart }): Promise<ConfigFileRow> => {
      const changedAt = await host.readFileTime(name);
      const problems = warnings.filter(warning => warning.startsWith(`${name}:`));
      return {
        name,
        state: changedAt === undefined ? 'absent' : problems.length > 0 ? 'invalid' : 'ok',
        ...(changedAt !== undefined && { changedAt: new Date(changedAt).toISOString() }),
        problems,
        needsRestart: isReadAtStart && changedAt !== undefined && changedAt > host.startedAt,
      };
    }),
  );
  return {
    at: new Date(clock.now()).toISOString(),
    version,
    nodeVersion: host.nodeVersion,
    startedAt: new Date(host.startedAt).toISOString(),
    settings,
    files,
    warnings,
  };
}
