/** The points in which models differ behind the Responses API, as data: see developers.openai.com, "Reasoning models" and the page of each model. */
import type { OpenAI } from 'openai';
import type { ThinkingLevel } from '../../port/llm';

type Effort = NonNullable<OpenAI.ReasoningEffort>;

export interface OpenAiTraits {
  /** The effort of each thinking level. Absent: the request has no field `reasoning`, and the model does what it usually does. */
  efforts: Readonly<Partial<Record<ThinkingLevel, Effort>>>;
  /** The model reasons in every answer, so its reasoning items are asked for at every level. */
  alwaysReasons: boolean;
  /** When temperature and topP are taken. `without_effort`: only while the model does not reason. */
  sampling: 'always' | 'without_effort' | 'never';
}

const USUAL_EFFORTS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high' } as const;

/** A model that no row names is newer than this list. */
const NEWEST: OpenAiTraits = { efforts: { ...USUAL_EFFORTS, off: 'none' }, alwaysReasons: true, sampling: 'without_effort' };
const ALWAYS_REASONS: OpenAiTraits = { efforts: USUAL_EFFORTS, alwaysReasons: true, sampling: 'never' };
const NEVER_REASONS: OpenAiTraits = { efforts: {}, alwaysReasons: false, sampling: 'always' };
const ONLY_HIGH = { minimal: 'high', low: 'high', medium: 'high', high: 'high' } as const;
/** Models of other servers, and models under names of their own. */
const OTHERS: OpenAiTraits = { efforts: USUAL_EFFORTS, alwaysReasons: false, sampling: 'always' };

/** The first match counts. */
const FAMILIES: readonly (readonly [RegExp, OpenAiTraits])[] = [
  [/gpt-oss/, OTHERS],
  [/^chatgpt|gpt-[34]|gpt-[\d.]+-chat/, NEVER_REASONS],
  [/(?:^|\/)o\d/, ALWAYS_REASONS],
  [/gpt-5-pro/, { ...ALWAYS_REASONS, efforts: ONLY_HIGH }],
  [/gpt-[\d.]+-pro/, { ...ALWAYS_REASONS, efforts: { ...USUAL_EFFORTS, minimal: 'medium', low: 'medium' } }],
  [/codex/, ALWAYS_REASONS],
  [/gpt-5(?![.\d])/, { ...ALWAYS_REASONS, efforts: { ...USUAL_EFFORTS, minimal: 'minimal' } }],
  [/gpt-\d/, NEWEST],
];

/** `model`: the name that the server gives the model. */
export const openAiTraits = (model: string): OpenAiTraits => FAMILIES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? OTHERS;
