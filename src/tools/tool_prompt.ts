/** The lines that a tool adds to the system prompt of an agent that has it: when to use it, what to check first, how to use it well. */
export interface LocalText {
  readonly en: string;
  readonly 'zh-CN': string;
}

/** `wait`: the run waits for the answer to a question. `text`: the question ends the turn. */
export type ClarifyMode = 'wait' | 'text';

/**
 * Says when a prompt line is included. All words of `needs` must hold (`a|b`: at least one of them) and no word of `lacks`. A word is the name of
 * a tool that the agent has, or `workspace:` and the `workspace` trait of one of its tools. A line may name another tool only when that tool is in
 * `needs`, so the prompt never names a tool that the model cannot call.
 */
export interface LineCondition {
  readonly needs?: readonly string[];
  readonly lacks?: readonly string[];
  /** The mode of the runs whose prompt includes the line. Absent: any mode. */
  readonly clarify?: ClarifyMode;
}

/** A whole line in both languages. An agent without the tool itself never gets it. */
export interface ToolPromptLine extends LocalText, LineCondition {}

/** A section of the prompt about one tool. */
export interface ToolGuidance {
  /** Markdown heading, such as `## Planning`. */
  readonly title: LocalText;
  readonly lines: readonly ToolPromptLine[];
  /** Sections with a lower number come first. Default: 100. Equal numbers keep the order of the tools. */
  readonly order?: number;
}

/** Fields of a tool that only the prompt uses. */
export interface ToolPromptFields {
  /**
   * When to use the tool. A text is a clause without a full stop, such as "The words of a file have to be counted"; the prompt adds the arrow
   * and the name, and `translations` holds the Chinese clause. A list holds whole lines, for conditions or another ending. Absent: the first
   * sentence of the description. Empty: no line.
   */
  readonly whenToUse?: string | readonly ToolPromptLine[];
  /** Lines about checks before the tool is used. */
  readonly beforeUse?: readonly ToolPromptLine[];
  /** Lines about using the tool well. */
  readonly howToUse?: ToolGuidance;
  /** Tools with a lower number come first in the lists of `whenToUse` and `beforeUse`. Default: 100. Equal numbers keep the order of the tools. */
  readonly promptOrder?: number;
}
