/** The effective configuration for operators: settings with their source, files with their state, versions. */

import type { Clock } from '../../../port/clock';
import type { ConfigEditor } from '../../../port/config_files';
import type { HostFacts } from '../../../port/host_facts';
import type { ConfigReloads } from '../../../service/audit/config_reloads';
import type { KeyRing } from '../../../service/auth/key_ring';
import type { ModelCatalog } from '../../../service/model/model_catalog';
import type { ReadinessService } from '../../../service/status/readiness_service';
import { toIsoTime } from '../../../utils/iso_time';
import type { OpsConfig } from '../schemas/config_schemas';
import { listActors } from '../shared/list_actors';
import { toNotice } from '../shared/notices';
import { type OpsView, seesMachine } from '../shared/ops_view';
import { isEditable } from './config_files';

/** Files that the list shows even when they do not exist. */
const USUAL_FILES = ['agents/default.yaml', 'approvals.yaml', 'limits.yaml', 'mcp.yaml', 'models.yaml'];
/** Settings that models.yaml replaces. */
const OF_MODELS: ReadonlySet<string> = new Set(['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'NETA_MODEL', 'NETA_MODEL_IMAGES']);

export interface ConfigViewDeps {
  version: string;
  clock: Clock;
  host: HostFacts;
  readiness: ReadinessService;
  models: ModelCatalog;
  keyRing: KeyRing;
  configEditor: ConfigEditor;
  configReloads: ConfigReloads;
  /** Every setting with its value and source, without secrets. */
  listSettings: () => OpsConfig['settings'][number][];
}

/** An operator of one tenant among several sees which settings are set, not their values. */
export async function readConfig(deps: ConfigViewDeps, view: OpsView): Promise<OpsConfig> {
  const { clock, version, host, readiness, models, keyRing, configEditor: editor, listSettings } = deps;
  const warnings = [...readiness.listWarnings()];
  const isFromFile = models.source === 'models.yaml';
  const isShared = view.tenantId !== undefined && new Set(listActors(keyRing, {}).map(({ tenantId }) => tenantId)).size > 1;
  const isForeign = !seesMachine(view);
  const settings = listSettings()
    .map(row => (isFromFile && OF_MODELS.has(row.name) ? { ...row, source: 'file' as const } : row))
    .map(row => (isShared && row.value !== undefined && row.source !== 'default' ? { ...row, value: '***', isSecret: true } : row))
    // A default can be a path of this machine.
    .map(row => (isForeign && row.value?.startsWith('/') ? { ...row, value: '***', isSecret: true } : row));
  return {
    at: new Date(clock.now()).toISOString(),
    version,
    nodeVersion: host.nodeVersion,
    startedAt: new Date(host.startedAt).toISOString(),
    settings,
    files: await readFiles(deps),
    isWritable: await editor.isWritable(),
    warnings,
    notices: warnings.map(toNotice),
  };
}

async function readFiles({ readiness, configReloads, configEditor }: ConfigViewDeps): Promise<OpsConfig['files'][number][]> {
  const warnings = readiness.listWarnings();
  const found = new Map((await configEditor.listFiles()).map(facts => [facts.name, facts]));
  const names = [...new Set([...USUAL_FILES, ...found.keys()])].sort();
  return names.map((name): OpsConfig['files'][number] => {
    const facts = found.get(name);
    const problems = warnings.filter(warning => isAbout(warning, name));
    const reloadedAt = configReloads.reloadedAt.get(name);
    return {
      name,
      state: problems.length > 0 ? 'invalid' : facts ? 'ok' : 'absent',
      changedAt: facts && toIsoTime(facts.changedAt),
      bytes: facts?.bytes,
      problems,
      needsRestart: false,
      reloadedAt: reloadedAt === undefined ? undefined : toIsoTime(reloadedAt),
      isEditable: isEditable(name),
    };
  });
}

/** A sentence about a skill begins with its folder. */
const isAbout = (warning: string, name: string): boolean =>
  warning.startsWith(`${name}:`) || (name.startsWith('skills/') && warning.startsWith(`${name.slice(0, name.lastIndexOf('/'))}:`));
