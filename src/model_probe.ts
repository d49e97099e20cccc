/** Probes a model for `neta models probe`, without a gateway: reads settings, models.yaml and keys of this machine. */
import { readSettings } from '../config/settings';
import { createCheckPorts } from './check_ports';
import { loadModels } from './load_models';
import type { ConfigEditor } from './port/config_files';
import { apiOf, MODEL_APIS } from './port/model_apis';
import type { ModelDefinition } from './port/model_client';
import type { ModelCatalog } from './service/model/model_catalog';
import { CONFIGURED_KEY, MODELS_FILE, readModelsFile, toReasoning } from './service/model/models_file';
import { textOfSettings, type WrittenModel, withModel } from './service/model/models_yaml';
import { type AskedQuestion, type ProbedModel, probeModel } from './service/model/probe/probe_model';

/** Either `id`, of a model that the gateway has, or the fields of a new one. */
export interface ProbeWish {
  id?: string;
  baseUrl?: string;
  api?: string;
  /** Name of the variable that holds the key. */
  apiKeyEnv?: string;
  model?: string;
}

export interface ProbeRun extends ProbedModel {
  /** Writes the row into models.yaml. Resolves with the name of the file. Rejects with one sentence. */
  write(): Promise<string>;
}

interface Place {
  env: NodeJS.ProcessEnv;
  /** The directory of package.json. */
  root: string;
}

/** Rejects with one sentence for a model that does not exist, and for a key that is not set. */
export async function probe(
  { env, root }: Place,
  wish: ProbeWish,
  options: { isLarge: boolean; onAnswer: (asked: AskedQuestion) => void },
): Promise<ProbeRun> {
  const settings = readSettings(env, root);
  const ports = createCheckPorts(settings);
  const catalog = await loadModels(settings, ports);
  const definition = chooseModel(catalog, wish);
  const { apiKeyEnv } = definition;
  const configured = apiKeyEnv === CONFIGURED_KEY ? settings.openai?.apiKey : undefined;
  const apiKey = apiKeyEnv === undefined ? undefined : (settings.readSecret(apiKeyEnv) ?? ports.secretStore.read(apiKeyEnv) ?? configured);
  if (apiKeyEnv !== undefined && apiKey === undefined) throw new Error(`${apiKeyEnv} is not set: it holds the key of the model.`);
  const probed = await probeModel({ clients: ports.modelClients, definition, apiKey, ...options });
  return {
    ...probed,
    write: async () => {
      if (!probed.row) throw new Error('The model did not answer, so there is nothing to write.');
      await writeRow(ports.configEditor, probed.row, textOfSettings(catalog));
      return MODELS_FILE;
    },
  };
}

/** Returns the model to probe, and closes the clients of all. */
function chooseModel(catalog: ModelCatalog, wish: ProbeWish): ModelDefinition {
  try {
    if (wish.model === undefined) return findModel(catalog, wish.id);
    const definition = toDefinition(wish);
    assertKeyIsNamed(catalog, definition);
    return definition;
  } finally {
    for (const { client } of catalog.listModels()) client.close();
  }
}

/** Without an id: the default model. */
function findModel(catalog: ModelCatalog, id: string | undefined): ModelDefinition {
  const models = catalog.listModels().filter(({ client }) => !client.info.demo);
  const found = models.find(({ definition }) => definition.id === (id ?? catalog.defaultModel.definition.id));
  if (found) return found.definition;
  const ids = models.map(({ definition }) => definition.id).join(', ');
  throw new Error(`There is no model "${id ?? ''}"; the gateway has: ${ids}. Name another one with --base-url and --model-name.`);
}

/** A row keeps the fields that are not given, so the key of a known model would go to another address unnoticed. */
function assertKeyIsNamed(catalog: ModelCatalog, { id, apiKeyEnv }: ModelDefinition): void {
  const known = catalog.listModels().find(({ definition }) => definition.id === id)?.definition;
  if (!known?.apiKeyEnv || apiKeyEnv !== undefined) return;
  throw new Error(`The gateway has a model "${id}" with a key: name the key of this address with --api-key-env, or choose another id.`);
}

function toDefinition({ id, baseUrl, api, apiKeyEnv, model = '' }: ProbeWish): ModelDefinition {
  const known = MODEL_APIS.find(name => name === api);
  if (api !== undefined && known === undefined) throw new Error(`The API is one of ${MODEL_APIS.join(', ')}.`);
  const name = id ?? model.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 56);
  const reasoning = apiOf({ api: known, baseUrl }) === 'chat' ? toReasoning('reasoning_effort') : undefined;
  return { id: name, api: known, baseUrl, apiKeyEnv, model, parameters: {}, reasoning };
}

/** A file that cannot be read with the row in it stays as it is. */
async function writeRow(editor: ConfigEditor, row: WrittenModel, first: string | undefined): Promise<void> {
  const base = await editor.readText(MODELS_FILE);
  const text = withModel(base?.text ?? first, row, { isDefault: false });
  const file = editor.parse(MODELS_FILE, text);
  await readModelsFile({ readFile: async () => file, readFolder: async () => [] });
  await editor.writeText(MODELS_FILE, text, base?.hash);
}
