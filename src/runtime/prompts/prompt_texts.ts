/** Shape of the prompt texts of one language. The texts are data; runtime/prompt_guidance.ts and prompt_builder.ts choose from them. */

/**
 * One line of a prompt. `needs`: tools that must all be there for the line to be said, `a|b` meaning at least one of them; `lacks`: tools that must
 * not be there. A line may name a tool only when that tool is in `needs`, so the prompt never names what the model cannot call.
 */
export interface PromptLine {
  readonly text: string;
  readonly needs?: readonly string[];
  readonly lacks?: readonly string[];
}

export interface PromptSection {
  readonly title: string;
  readonly lines: readonly PromptLine[];
}

/** Tools that have a strategy text of their own, in the order of the prompt. */
export const GUIDED_TOOLS = ['todo', 'patch', 'clarify', 'memory_save', 'skill_manage'] as const;
export type GuidedTool = (typeof GUIDED_TOOLS)[number];

export interface PromptTexts {
  readonly identity: readonly string[];
  readonly rulesTitle: string;
  /** Said when there are tools, and when there are none. */
  readonly rules: readonly PromptLine[];
  readonly rulesWithoutTools: readonly PromptLine[];
  readonly scenariosTitle: string;
  /** At least one line for every tool of the catalog. */
  readonly scenarios: readonly PromptLine[];
  readonly checks: PromptSection;
  readonly behaviors: Readonly<Record<GuidedTool, PromptSection>>;
  readonly personaTitle: string;
  readonly workspace: { readonly title: string; readonly text: (path: string) => string };
  readonly memories: { readonly title: string; readonly intro: string };
  readonly skills: { readonly title: string; readonly intro: readonly PromptLine[] };
  readonly crew: { readonly master: PromptSection; readonly member: PromptSection };
  /** `weekdays` from Sunday. */
  readonly time: {
    readonly title: string;
    readonly utc: string;
    readonly local: string;
    readonly zone: string;
    readonly weekdays: readonly string[];
  };
}
