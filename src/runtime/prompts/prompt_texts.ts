/** The prompt texts of one language. They are data; prompt_guidance.ts and prompt_builder.ts choose from them. */
import type { SandboxKind } from '../../port/shell';
import type { LineCondition } from '../../tools/tool_prompt';

/** One line of a prompt in one language. */
export interface PromptLine extends LineCondition {
  readonly text: string;
}

export interface PromptSection {
  readonly title: string;
  readonly lines: readonly PromptLine[];
}

/** Condition words for tools that take file paths. */
export const FILE_TOOLS: readonly string[] = ['workspace:find', 'workspace:read', 'workspace:change'];
export const WORKSPACE_TOOLS: readonly string[] = [...FILE_TOOLS, 'workspace:run'];
/** Condition words for tools that can read any file, including the spill file of a truncated result. */
export const READING_TOOLS: readonly string[] = ['workspace:read', 'workspace:run'];
export const CHANGING_TOOLS: readonly string[] = ['workspace:change', 'workspace:run'];

/** Texts about the agent and about tools in general. Texts about one tool are in the file of the tool. */
export interface PromptTexts {
  readonly identity: readonly PromptLine[];
  readonly rulesTitle: string;
  readonly rules: readonly PromptLine[];
  /** The rules of an agent without tools. */
  readonly rulesWithoutTools: readonly PromptLine[];
  readonly scenariosTitle: string;
  readonly checksTitle: string;
  readonly personaTitle: string;
  readonly workspace: {
    readonly title: string;
    readonly text: (path: string) => string;
    readonly lines: readonly PromptLine[];
    /** Tells the model what commands can reach, for each kind of sandbox. */
    readonly commands: Readonly<Record<SandboxKind, string>>;
  };
  readonly limits: { readonly title: string; readonly rounds: (most: number) => string; readonly lines: readonly PromptLine[] };
  readonly memories: { readonly title: string; readonly intro: string };
  readonly chatInstructions: { readonly title: string; readonly intro: string };
  readonly callerInstructions: { readonly title: string; readonly intro: string };
  readonly skills: {
    readonly title: string;
    readonly intro: readonly PromptLine[];
    /** The line with the names of skills whose description is left out. */
    readonly more: (names: readonly string[]) => string;
  };
  /** `membersIntro` stands before the list of a master's members. */
  readonly crew: { readonly master: PromptSection; readonly member: PromptSection; readonly membersIntro: string };
  /** `intro` explains the time of the session; `sent` stands before the time of a message; `weekdays` from Sunday. */
  readonly time: {
    readonly title: string;
    readonly intro: string;
    readonly sent: string;
    readonly utc: string;
    readonly local: string;
    readonly zone: string;
    readonly weekdays: readonly string[];
  };
}
