/** Adds a model to the text of models.yaml; comments and the order of the file stay. */
import { isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml';
import type { DialectName } from '../../port/dialects';
import type { ModelApi } from '../../port/model_apis';
import type { ModelPrice } from '../../port/model_client';
import type { ModelCatalog } from './model_catalog';
import type { ReasoningStyle } from './models_file';

/** A model as models.yaml has it. null removes a field, undefined leaves it as it is. */
export interface WrittenModel {
  id: string;
  label?: string | null;
  api?: ModelApi | null;
  baseUrl?: string | null;
  apiKeyEnv?: string;
  model: string;
  contextWindow?: number | null;
  images?: boolean | null;
  files?: boolean | null;
  price?: ModelPrice | null;
  dialect?: DialectName;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  reasoning?: ReasoningStyle;
}

/**
 * Returns the text with the model in it; a model with the same id gets the fields that are given, and keeps the others. `text`: a file that can be
 * read; undefined: there is none yet.
 * `isDefault`: agents that name no model use it from now on.
 */
export function withModel(text: string | undefined, model: WrittenModel, { isDefault }: { isDefault: boolean }): string {
  const document = parseDocument(text ?? 'models: []\n');
  const models = document.get('models');
  if (!isSeq<YAMLMap>(models)) throw new Error('models.yaml has no list of models.');
  models.flow = false;
  const known = models.items.find(item => item instanceof YAMLMap && item.get('id') === model.id);
  const row = known ?? new YAMLMap();
  for (const [field, value] of Object.entries(model)) {
    if (value === null) row.delete(field);
    else if (value !== undefined) row.set(field, document.createNode(value));
  }
  if (!known) models.items.push(row);
  if (isDefault) makeFirst(models, row);
  const fallback = document.get('fallback');
  if (isDefault && fallback instanceof YAMLSeq) {
    fallback.items = fallback.items.filter(item => String(item) !== model.id);
    fallback.items.unshift(document.createNode(model.id));
  }
  return document.toString({ lineWidth: 0 });
}

/** Returns the text of a first models.yaml with the model of the settings, which the file replaces; undefined for the demo. */
export function textOfSettings({ defaultModel: { definition, client } }: Pick<ModelCatalog, 'defaultModel'>): string | undefined {
  if (client.info.demo) return undefined;
  const { id, api, baseUrl, apiKeyEnv, model, images } = definition;
  return withModel(undefined, { id, api, baseUrl, apiKeyEnv, model, images: images || undefined }, { isDefault: true });
}

function makeFirst<T>(list: YAMLSeq<T>, item: T): void {
  list.items = [item, ...list.items.filter(other => other !== item)];
}
