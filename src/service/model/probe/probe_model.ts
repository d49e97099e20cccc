/** Probes a model: asks the questions one after the other, and makes the row that models.yaml needs. */
import type { ModelClients, ModelDefinition } from '../../../port/model_client';
import type { WrittenModel } from '../models_yaml';
import { type Finding, ProbeCall, refusal } from './probe_call';
import { PROBE_QUESTIONS, type ProbeQuestion } from './probe_questions';

export interface AskedQuestion extends Pick<ProbeQuestion, 'name' | 'title'>, Pick<Finding, 'ok' | 'detail'> {}

export interface ProbedModel {
  questions: AskedQuestion[];
  /** The model as models.yaml should have it; undefined when it did not answer. */
  row?: WrittenModel;
}

export interface ProbeOptions {
  clients: ModelClients;
  definition: ModelDefinition;
  apiKey: string | undefined;
  /** Asks the questions that may cost more, too. */
  isLarge: boolean;
  /** Called with each answer. */
  onAnswer: (asked: AskedQuestion) => void;
}

/** Asks the questions one after the other, because servers limit their rate. A model that does not answer ends the probe. */
export async function probeModel({ clients, definition, apiKey, isLarge, onAnswer }: ProbeOptions): Promise<ProbedModel> {
  const call = new ProbeCall(clients, definition, apiKey);
  const questions: AskedQuestion[] = [];
  try {
    for (const { name, title, ask, isNeeded, isLarge: isLargeQuestion } of PROBE_QUESTIONS) {
      if (isLargeQuestion && !isLarge) continue;
      const { ok, detail } = await ask(call).catch(refusal);
      const asked = { name, title, ok, detail };
      questions.push(asked);
      onAnswer(asked);
      if (isNeeded && !ok) return { questions };
    }
    return { questions, row: toRow(call) };
  } finally {
    call.close();
  }
}

/** The fields of thinking levels are named by their word. */
function toRow({ definition, found, style }: ProbeCall): WrittenModel {
  const { id, api, baseUrl, apiKeyEnv, model } = definition;
  const { dialect, maxTokensField, images, files, contextWindow } = found;
  return { id, api, baseUrl, apiKeyEnv, model, dialect, maxTokensField, reasoning: style, images, files, contextWindow };
}
