/** The points in which models of Anthropic differ, as data: see platform.claude.com, "Extended thinking" and "Models overview". */

export interface ClaudeTraits {
  /**
   * adaptive: the model decides how much to think, led by an effort. budget: it thinks for a number of tokens. none: it does not think.
   */
  thinking: 'adaptive' | 'budget' | 'none';
  /** Names how many of temperature and topP the model takes. */
  sampling: 'both' | 'one' | 'none';
  /** The length of an answer for which no parameter sets a limit: the API demands one. */
  maxTokens: number;
  /** The model can be held to a JSON Schema. */
  hasOutputFormat: boolean;
}

/** A model that no row names is newer than this list. */
const NEWEST: ClaudeTraits = { thinking: 'adaptive', sampling: 'none', maxTokens: 64_000, hasOutputFormat: true };
const BUDGET: ClaudeTraits = { thinking: 'budget', sampling: 'one', maxTokens: 32_000, hasOutputFormat: true };

/** The first match counts. */
const FAMILIES: readonly (readonly [RegExp, ClaudeTraits])[] = [
  [/claude-(?:instant|2|3-(?:opus|sonnet|haiku))/, { thinking: 'none', sampling: 'both', maxTokens: 4_096, hasOutputFormat: false }],
  [/claude-3[-.]5/, { thinking: 'none', sampling: 'both', maxTokens: 8_192, hasOutputFormat: false }],
  [/claude-3[-.]7/, { ...BUDGET, sampling: 'both', hasOutputFormat: false }],
  [/claude-(?:opus|sonnet)-4(?:-0|-1)?(?:$|[-@]\d{8}|[^-\d.])/, { ...BUDGET, hasOutputFormat: false }],
  [/claude-(?:opus|sonnet|haiku)-4[-.]5/, { ...BUDGET, maxTokens: 64_000 }],
  [/claude-(?:opus|sonnet)-4[-.]6/, { ...NEWEST, sampling: 'one' }],
  [/claude/, NEWEST],
];
/** Other servers that take this API, with models of their own. */
const OTHERS: ClaudeTraits = { thinking: 'budget', sampling: 'both', maxTokens: 32_000, hasOutputFormat: false };

export const claudeTraits = (model: string): ClaudeTraits => FAMILIES.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? OTHERS;
