/** Reads the models of models.yaml, or else of the settings, with their keys. */
import type { Settings } from '../config/settings';
import { findKeyProblem } from '../config/settings/key_problem';
import { SettingError } from '../config/settings/read_values';
import type { ConfigReader } from './port/config_files';
import type { ModelClients } from './port/model_client';
import type { Redactor } from './port/redactor';
import type { SecretStore } from './port/secret_store';
import { ModelCatalog } from './service/model/model_catalog';
import { CONFIGURED_KEY, readModelsFile, toConfiguredModels } from './service/model/models_file';

/** The ports that the models need. */
export interface ModelPorts {
  modelClients: ModelClients;
  configFiles: ConfigReader;
  secretStore: Pick<SecretStore, 'read'>;
  redactor: Pick<Redactor, 'addSecrets'>;
}

/** Resolves with the models. Rejects with one sentence for a file with a mistake, and for a key that no header can hold. */
export async function loadModels(
  { openai, contextTokens, readSecret }: Settings,
  { modelClients, configFiles, secretStore, redactor }: ModelPorts,
): Promise<ModelCatalog> {
  const deps = {
    clients: modelClients,
    contextTokens,
    // A server that needs no key still gets one, because the client insists on a key.
    readSecret(name: string, model: string) {
      const secret = readSecret(name) ?? secretStore.read(name) ?? (name === CONFIGURED_KEY ? openai?.apiKey : undefined);
      redactor.addSecrets(secret === undefined ? [] : [secret]);
      const problem = secret === undefined ? undefined : findKeyProblem(secret);
      if (problem !== undefined) throw new SettingError(`${name}, the key of the model ${model} in models.yaml, ${problem}`);
      return secret;
    },
    configured: openai && toConfiguredModels(openai),
  };
  return new ModelCatalog(deps, await readModelsFile(configFiles));
}
