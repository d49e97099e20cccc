/** Shape of the prompt texts of one language. The texts are data; runtime/prompt_guidance.ts and prompt_builder.ts choose from them. */
import type { SandboxKind } from '../../port/shell';

/**
 * One line of a prompt. `needs`: tools that must all be there for the line to be said, `a|b` meaning at least one of them; `lacks`: tools that must
 * not be there. A line may name a tool only when that tool is in `needs`, so the prompt never names what the model cannot call.
 */
export interface PromptLine {
  readonly text: string;
  readonly needs?: readonly string[];
  readonly lacks?: readonly string[];
  /** Include the line only in runs that wait for an answer, or only in runs that end with the question. */
  readonly clarify?: ClarifyMode;
}

export type ClarifyMode = 'wait' | 'text';

export interface PromptSection {
  readonly title: string;
  readonly lines: readonly PromptLine[];
}

/** Tools that work on the files of the workspace. */
const FILE_TOOLS = [
  'read_file',
  'write_file',
  'list_dir',
  'patch',
  'file_read',
  'file_write',
  'file_delete',
  'file_list',
  'file_exists',
  'file_mkdir',
  'search',
] as const;
export const COMMAND_TOOLS = ['bash', 'terminal'] as const;
export const WORKSPACE_TOOLS: readonly string[] = [...FILE_TOOLS, ...COMMAND_TOOLS];
/** Use in `needs`: any one of them. */
export const ANY_FILE_TOOL = FILE_TOOLS.join('|');
export const ANY_WORKSPACE_TOOL = WORKSPACE_TOOLS.join('|');
/** Tools that can read the file of a truncated result. */
export const READING_TOOLS: readonly string[] = ['read_file', 'file_read', ...COMMAND_TOOLS];
export const ANY_READING_TOOL = READING_TOOLS.join('|');

/** Tools that have a strategy text of their own, in the order of the prompt. */
export const GUIDED_TOOLS = ['todo', 'patch', 'clarify', 'memory_save', 'skill_manage'] as const;
export type GuidedTool = (typeof GUIDED_TOOLS)[number];

export interface PromptTexts {
  readonly identity: readonly PromptLine[];
  readonly rulesTitle: string;
  /** Said when there are tools, and when there are none. */
  readonly rules: readonly PromptLine[];
  readonly rulesWithoutTools: readonly PromptLine[];
  readonly scenariosTitle: string;
  /** One line for every tool of the catalog; a tool that is not here has its line from its own definition. */
  readonly scenarios: readonly PromptLine[];
  readonly checks: PromptSection;
  readonly behaviors: Readonly<Record<GuidedTool, PromptSection>>;
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
