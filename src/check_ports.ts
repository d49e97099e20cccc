/** Opens what a check before the start needs: nothing is written, and no database is migrated. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../config/settings';
import { createConfigDirectory } from './adapter/config/config_directory';
import { createConfigEditor } from './adapter/config/config_editor';
import { openSecretStore } from './adapter/local/disk/secret_store';
import { createSystemClock } from './adapter/local/node/clock';
import { createIdSource } from './adapter/local/node/ids';
import { createModelClients } from './adapter/model_clients';
import { readPostgresFacts } from './adapter/postgres/postgres_facts';
import { createKnownSecrets } from './adapter/redact';
import { openSandbox } from './adapter/sandbox/sandbox';
import type { ModelPorts } from './load_models';
import type { ConfigEditor, ConfigReader } from './port/config_files';
import type { SandboxKind } from './port/shell';
import { sandboxOptions } from './sandbox_options';

/** Ports of the checks before a start. */
export interface CheckPorts extends ModelPorts {
  configFiles: ConfigReader;
  configEditor: ConfigEditor;
  /** Tries the sandbox as the start does. `problem`: why none works. */
  findSandbox(): Promise<{ kind: SandboxKind; problem?: string }>;
  /** Connects to the database server. Resolves with its version and the number of migrations. Rejects with one sentence. */
  readDatabaseServer(url: string): Promise<{ version: string; migrations: number }>;
}

/** Opens the ports of the checks. */
export function createCheckPorts(settings: Settings): CheckPorts {
  return {
    configFiles: createConfigDirectory(settings.configDir),
    configEditor: createConfigEditor(settings.configDir),
    secretStore: openSecretStore(join(settings.dataDir, 'secrets.yaml')),
    redactor: createKnownSecrets([]),
    modelClients: createModelClients({ ids: createIdSource(createSystemClock()), times: settings.modelTimes }),
    async findSandbox() {
      // The workspace may be made by the first start.
      const root = realpathSync(existsSync(settings.workspace) ? settings.workspace : settings.programDir);
      const { sandbox, problem } = await openSandbox(settings.sandbox, sandboxOptions(settings, root));
      return { kind: sandbox?.isolation ?? 'none', problem };
    },
    readDatabaseServer: readPostgresFacts,
  };
}
