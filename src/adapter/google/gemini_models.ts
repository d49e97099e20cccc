/** The points in which models of the Gemini API differ, as data: see ai.google.dev, "Gemini thinking" and "Function calling". */
import type { ThinkingLevel } from '../../port/llm';

/** Names of the API's levels. */
export type GeminiLevel = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH';

export interface GeminiTraits {
  /** Maps each thinking level to a level of the API, or to a budget in tokens. Absent: the model does not think. */
  thinking?: Readonly<Record<ThinkingLevel, GeminiLevel>> | Readonly<Record<ThinkingLevel, number>>;
  /** The model refuses a call of a tool that has no signature. */
  needsSignatures: boolean;
  /** Results of tools may hold images. */
  hasResultImages: boolean;
  /** An answer can be held to a schema while tools are offered. */
  hasSchemaWithTools: boolean;
}

/** A model that no row names is newer than this list. */
const NEWEST: GeminiTraits = {
  thinking: { off: 'MINIMAL', minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' },
  needsSignatures: true,
  hasResultImages: true,
  hasSchemaWithTools: true,
};
const OLDER: GeminiTraits = { needsSignatures: false, hasResultImages: false, hasSchemaWithTools: false };

/** The first match counts. Models whose thoughts cannot be turned off think as little as they can. */
const FAMILIES: readonly (readonly [RegExp, GeminiTraits])[] = [
  [/gemini-(?:1|2\.0)/, OLDER],
  [/gemini-2\.5-pro/, { ...OLDER, thinking: { off: 128, minimal: 512, low: 4_096, medium: 10_240, high: 24_576 } }],
  [/gemini-2\.5-flash.*image/, OLDER],
  [/gemini-2/, { ...OLDER, thinking: { off: 0, minimal: 512, low: 4_096, medium: 10_240, high: 24_576 } }],
  [/gemini-3-pro/, { ...NEWEST, thinking: { off: 'LOW', minimal: 'LOW', low: 'LOW', medium: 'HIGH', high: 'HIGH' } }],
  [/gemini-3.*pro/, { ...NEWEST, thinking: { off: 'LOW', minimal: 'LOW', low: 'LOW', medium: 'MEDIUM', high: 'HIGH' } }],
  [/gemini.*pro/, { ...NEWEST, thinking: { off: 'LOW', minimal: 'LOW', low: 'LOW', medium: 'HIGH', high: 'HIGH' } }],
  [/gemini/, NEWEST],
];

/** Other models that the API serves, such as Gemma, get the plainest requests. */
export const geminiTraits = (model: string): GeminiTraits => FAMILIES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? OLDER;
