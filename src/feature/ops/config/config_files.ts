/**
 * Files of the configuration directory for the operator pages, where operators read and change agents, approvals, limits and models. A changed text
 * passes the checks that the gateway makes at its start, and is refused when the file has changed since the operator read it.
 */
import type { TSchema } from '@sinclair/typebox';
import { AppError } from '../../../errors';
import { type ConfigEditor, type ConfigFile, ConfigFileError, type ConfigReader } from '../../../port/config_files';
import type { Principal } from '../../../port/principal';
import type { AgentDirectory } from '../../../service/agent/agent_directory';
import { PROFILE_SCHEMA } from '../../../service/agent/agent_profile_schema';
import type { AuditRecorder } from '../../../service/audit/audit_log';
import { assertUnchanged, writeConfigFile } from '../../../service/config_file_write';
import { LIMITS_SCHEMA, toLimitSet } from '../../../service/limits/limits_file';
import { MODELS_SCHEMA, readModelsFile } from '../../../service/model/models_file';
import { APPROVALS_SCHEMA, loadApprovalRules } from '../../../service/question/approval_rules';
import type { Notice, OpsConfig } from '../schemas/config_schemas';
import type { OpsConfigFile } from '../schemas/data_schemas';
import { toNotice } from '../shared/notices';

export interface ConfigFilesDeps {
  configFiles: ConfigReader;
  configEditor: ConfigEditor;
  agents: AgentDirectory;
  auditLog: AuditRecorder;
  listSettings: () => OpsConfig['settings'][number][];
}

export interface ConfigChange {
  name: string;
  text: string;
  baseHash?: string;
}

interface Kind {
  names: RegExp;
  schema: TSchema;
  /** Checks the directory with the changed file. Throws what the loader throws. */
  check: (files: ConfigReader, deps: ConfigFilesDeps, name: string) => Promise<unknown>;
}

/** mcp.yaml, manifests and skills name programs that run on this machine, so they are changed on the machine alone. */
const KINDS: readonly Kind[] = [
  {
    names: /^agents\/[A-Za-z0-9_-]{1,64}\.yaml$/,
    schema: PROFILE_SCHEMA,
    check: (files, { agents }, name) => agents.checkFile(files, name),
  },
  {
    names: /^approvals\.yaml$/,
    schema: APPROVALS_SCHEMA,
    check: files => loadApprovalRules(files),
  },
  {
    names: /^limits\.yaml$/,
    schema: LIMITS_SCHEMA,
    check: async files => {
      const file = await files.readFile('limits.yaml');
      return file && toLimitSet(file);
    },
  },
  { names: /^models\.yaml$/, schema: MODELS_SCHEMA, check: checkModels },
];

/** Secrets that model servers are meant to get. */
const MODEL_KEYS: ReadonlySet<string> = new Set(['OPENAI_API_KEY', 'NETA_EMBEDDING_API_KEY']);

/**
 * A model server gets the variable that `apiKeyEnv` names. The gateway's API keys (which outlive the caller's key) and the address of its database
 * are not allowed there.
 */
async function checkModels(files: ConfigReader, { listSettings }: ConfigFilesDeps): Promise<void> {
  const models = (await readModelsFile(files))?.models ?? [];
  const file = await files.readFile('models.yaml');
  const own = new Set(listSettings().flatMap(({ name, isSecret }) => (isSecret && !MODEL_KEYS.has(name) ? name : [])));
  const i = models.findIndex(({ apiKeyEnv = '' }) => own.has(apiKeyEnv));
  if (file && i !== -1) throw file.problem(`/models/${i}/apiKeyEnv`, 'is a secret of the gateway itself');
}

/** Names that the page can edit. */
export const isEditable = (name: string): boolean => KINDS.some(({ names }) => names.test(name));

export class ConfigFileEditor {
  constructor(private readonly deps: ConfigFilesDeps) {}

  /** Rejects `not_found` for a file that the page cannot edit. */
  async readFile(name: string): Promise<OpsConfigFile> {
    const { configEditor } = this.deps;
    const kind = kindOf(name);
    const found = await configEditor.readText(name);
    return { name, ...found, isWritable: await configEditor.isWritable(), schema: kind.schema };
  }

  /**
   * Checks and stores the whole text. `baseHash`: the version that the operator changed; absent for a new file. Resolves with the hash of the stored
   * text. Rejects `invalid_request` with file, field and line in its details, `config_changed`, and `forbidden` for a directory that is read-only.
   */
  async writeFile(principal: Principal, { name, text, baseHash }: ConfigChange): Promise<{ name: string; hash: string }> {
    const { configEditor, configFiles } = this.deps;
    const kind = kindOf(name);
    await assertUnchanged(configEditor, { name, baseHash });
    try {
      await kind.check(withFile(configFiles, configEditor.parse(name, text)), this.deps, name);
    } catch (thrown) {
      throw invalid(thrown);
    }
    const hash = await writeConfigFile(this.deps, principal, { name, text, baseHash });
    return { name, hash };
  }
}

function kindOf(name: string): Kind {
  const kind = KINDS.find(({ names }) => names.test(name));
  if (kind) return kind;
  throw new AppError('not_found', {
    param: '/file',
    message: 'Only agents/<name>.yaml, approvals.yaml, limits.yaml and models.yaml can be edited here.',
    messageZh: '这里只能编辑 agents/<名称>.yaml、approvals.yaml、limits.yaml 和 models.yaml。',
  });
}

/** Returns the directory as it would be with this file. */
function withFile(files: ConfigReader, file: ConfigFile): ConfigReader {
  return {
    readFile: async name => (name === file.name ? file : files.readFile(name)),
    async readFolder(folder, onBroken) {
      const onOther = onBroken && ((name: string, thrown: unknown) => name !== file.name && onBroken(name, thrown));
      const others = (await files.readFolder(folder, onOther)).filter(({ name }) => name !== file.name);
      const all = file.name.startsWith(`${folder}/`) ? [...others, file] : others;
      return all.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

function invalid(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { file, field, line } = thrown instanceof ConfigFileError ? thrown.place : {};
  const details = { file, field: field || undefined, line };
  return new AppError('invalid_request', { param: '/text', ...pick(toNotice(thrown.message)), details });
}

const pick = ({ message, messageZh }: Notice) => ({ message, messageZh });
