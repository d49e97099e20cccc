/** Gives the skill tools access to the skills of the tenant: they read all and change those that the agent made. ../skill_access.ts implements it. */
import type { LocalText } from '../../../tools/tool_prompt';

declare module '../../../tools/common' {
  interface ToolAccess {
    /** The skills of the tenant. Absent: the gateway has no skills. */
    readonly skills?: SkillAccess;
  }
}

export interface SkillText {
  name: string;
  /** The text of SKILL.md after its front matter. */
  instructions: string;
  /** Paths of the other files. */
  files: readonly string[];
  /** Names of tools that the skill asks for, as written. */
  tools: readonly string[];
}

export type SkillChange =
  | { action: 'create' | 'update'; name: string; content: string }
  | { action: 'patch'; name: string; path?: string; oldString: string; newString: string; locale?: keyof LocalText }
  | { action: 'delete' | 'enable' | 'disable'; name: string };

/** `diff`: of a patch. */
export interface SkillChanged {
  diff?: string;
}

/** An expected failure, in both languages; nothing was changed. `param`: JSON pointer of the argument that is wrong. */
export class SkillRefusal extends Error {
  constructor(
    readonly code: 'not_found' | 'read_only' | 'invalid' | 'full' | 'failed',
    readonly text: LocalText,
    readonly param: string = '/name',
    options?: ErrorOptions,
  ) {
    super(text.en, options);
    this.name = 'SkillRefusal';
  }
}

/** All methods reject with SkillRefusal for an expected failure. */
export interface SkillAccess {
  readSkill(name: string): Promise<SkillText>;
  /** Reads one file. Rejects for a file that is not text or has more than 1 MiB. */
  readSkillFile(name: string, path: string): Promise<string>;
  changeSkill(change: SkillChange, signal: AbortSignal): Promise<SkillChanged>;
}
