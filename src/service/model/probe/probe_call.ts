/** Asks one model the questions of a probe, with the fields of models.yaml that were found so far. */
import { AppError } from '../../../errors';
import type { ChatMessage, LlmAnswer, LlmRequest } from '../../../port/llm';
import type { ModelClient, ModelClients, ModelDefinition } from '../../../port/model_client';
import type { Bilingual } from '../../../utils/bilingual';
import { clipStart } from '../../../utils/clip_text';
import type { ReasoningStyle } from '../models_file';

/** A server on a small machine loads its model first. */
const ANSWER_MS = 180_000;
const MAX_SHOWN_UNITS = 160;
const MAX_ERROR_UNITS = 300;

/** The outcome of a question. `detail`: what was seen, or the server's own words. */
export interface Finding {
  ok: boolean;
  detail: Bilingual;
  /** The server refused the request. */
  isRefused?: boolean;
}

/** What a question needs of the request; the rest is the same for all. */
export type Asked = Pick<LlmRequest, 'messages'> & Partial<Pick<LlmRequest, 'tools' | 'images' | 'parameters' | 'thinkingLevel'>>;

export type FoundFields = Partial<Pick<ModelDefinition, 'dialect' | 'maxTokensField' | 'reasoning' | 'images' | 'files' | 'contextWindow'>>;

export class ProbeCall {
  /** Fields that the model needs in models.yaml. Questions add to them. */
  readonly found: FoundFields = {};
  /** The word of models.yaml for the request fields of thinking levels, when the model needs another one. */
  style: ReasoningStyle | undefined;
  private readonly opened = new Map<string, ModelClient>();

  constructor(
    private readonly clients: ModelClients,
    readonly definition: ModelDefinition,
    private readonly apiKey: string | undefined,
  ) {}

  /** Resolves with the answer. `tried`: fields that count for this request alone. Rejects with an AppError `model_*`. */
  ask({ tools = [], thinkingLevel = 'off', ...asked }: Asked, tried: FoundFields = {}): Promise<LlmAnswer> {
    const request = { ...asked, tools, thinkingLevel, hasAlternative: true, signal: AbortSignal.timeout(ANSWER_MS) };
    return this.open(tried).stream(request, { onText: () => {}, onReasoning: () => {} });
  }

  /** Resolves with the names of the server's models; empty without a list. */
  listModels(): Promise<string[]> {
    return this.open({}).listModels(AbortSignal.timeout(ANSWER_MS));
  }

  close(): void {
    for (const client of this.opened.values()) client.close();
  }

  /** A client keeps what it learns about its server, so that each form of requests has one. */
  private open(tried: FoundFields): ModelClient {
    const fields = { ...this.found, ...tried };
    const key = JSON.stringify(fields);
    const client = this.opened.get(key) ?? this.clients.openClient({ ...this.definition, ...fields }, this.apiKey);
    this.opened.set(key, client);
    return client;
  }
}

/** Returns a conversation of one message. */
export const say = (content: string): ChatMessage[] => [{ role: 'user', content }];

const same = (text: string): Bilingual => ({ en: text, 'zh-CN': text });

export const yes = (detail: string | Bilingual = ''): Finding => ({ ok: true, detail: typeof detail === 'string' ? same(detail) : detail });
export const no = (detail: string | Bilingual): Finding => ({ ok: false, detail: typeof detail === 'string' ? same(detail) : detail });

/** The text of an answer, as a detail shows it. */
export const shown = ({ message: { content } }: LlmAnswer): string =>
  JSON.stringify(clipStart((content ?? '').replaceAll(/\s+/g, ' '), MAX_SHOWN_UNITS));

/** Turns a refusal into a finding. Other errors, such as a time limit, become one too. */
export function refusal(thrown: unknown): Finding {
  if (thrown instanceof AppError) {
    const { code, message, messageZh } = thrown;
    const detail = { en: clipStart(message, MAX_ERROR_UNITS), 'zh-CN': clipStart(messageZh, MAX_ERROR_UNITS) };
    return { ok: false, detail, isRefused: code === 'model_refused' };
  }
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError') return no(TIMED_OUT);
  throw thrown;
}

const TIMED_OUT = { en: `no answer within ${ANSWER_MS / 1000} s`, 'zh-CN': `${ANSWER_MS / 1000} 秒内没有回答` };
