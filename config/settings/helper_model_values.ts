/** The servers of the models that help beside the chat model. */
import { SettingError } from './read_values';
import type { SettingValues } from './settings_schema';

interface HelperModel {
  apiKey?: string;
  baseUrl?: string;
  model: string;
}

export interface HelperModels {
  /** Absent: texts are ranked by their words alone. */
  embedding?: HelperModel;
  /** Absent: the gateway turns no speech into text. */
  transcription?: HelperModel;
}

/** Throws a SettingError when a model has a name and no server. */
export const toHelperModels = (values: SettingValues): HelperModels => ({
  embedding: toHelperModel(values, 'EMBEDDING'),
  transcription: toHelperModel(values, 'TRANSCRIPTION'),
});

/** The key goes only to the server that it belongs to. */
function toHelperModel(values: SettingValues, name: 'EMBEDDING' | 'TRANSCRIPTION'): HelperModel | undefined {
  const model = values[`NETA_${name}_MODEL`];
  const ownUrl = values[`NETA_${name}_BASE_URL`];
  if (!model) return undefined;
  const baseUrl = ownUrl || values.OPENAI_BASE_URL;
  const apiKey = values[`NETA_${name}_API_KEY`] || (ownUrl ? undefined : values.OPENAI_API_KEY);
  if (!baseUrl && !apiKey)
    throw new SettingError(`NETA_${name}_MODEL needs a server: set OPENAI_API_KEY, OPENAI_BASE_URL or NETA_${name}_BASE_URL.`);
  return { model, baseUrl: baseUrl || undefined, apiKey: apiKey || undefined };
}
