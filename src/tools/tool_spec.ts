/** Reads the data of a tool: its name, its texts in a language, and the spec without the function. */
import type { ToolLocale, ToolSpec } from './common';

/** Names that model servers accept. */
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

/** Throws a sentence with the pattern when model servers would not accept the name. */
export function assertToolName(name: string): void {
  if (!isToolName(name)) throw new Error(`The tool name ${JSON.stringify(name)} must match ${TOOL_NAME.source}.`);
}

export interface ToolTexts {
  label: string;
  description: string;
  /** The clause for the prompt. Undefined when the tool has whole lines instead, or none. */
  whenToUse?: string;
  /** Descriptions that replace those in the schema, named as in ToolTranslation. */
  parameters: Readonly<Record<string, string>>;
}

/** Returns the texts in the language, or in English where there is no translation. */
export function toolTexts(spec: Pick<ToolSpec, 'label' | 'description' | 'whenToUse' | 'translations'>, locale: ToolLocale): ToolTexts {
  const translation = locale === 'en' ? undefined : spec.translations?.[locale];
  const whenToUse = translation?.whenToUse ?? (typeof spec.whenToUse === 'string' ? spec.whenToUse : undefined);
  return {
    label: translation?.label ?? spec.label,
    description: translation?.description ?? spec.description,
    whenToUse,
    parameters: translation?.parameters ?? {},
  };
}

/** Returns the text up to the first full stop before white space, or the first Chinese full stop. */
export const firstSentence = (text: string): string => /^.*?(?:[.](?=\s)|。|$)/s.exec(text)?.[0] ?? text;

const SPEC_FIELDS: Readonly<Record<keyof ToolSpec, true>> = {
  name: true,
  toolset: true,
  label: true,
  description: true,
  whenToUse: true,
  beforeUse: true,
  howToUse: true,
  promptOrder: true,
  effect: true,
  parameters: true,
  translations: true,
  origin: true,
  keywords: true,
  always: true,
  reads: true,
  reaches: true,
  needs: true,
  workspace: true,
  keepsState: true,
  approval: true,
  memory: true,
  command: true,
  manifest: true,
};

/** Returns the fields of a spec alone, with the same values as in the tool. */
export function toSpec(tool: ToolSpec): ToolSpec {
  // Each key comes from the table above, which the compiler keeps complete.
  return Object.fromEntries(
    Object.entries(tool).filter(([key, value]) => key in SPEC_FIELDS && value !== undefined),
  ) as unknown as ToolSpec;
}
