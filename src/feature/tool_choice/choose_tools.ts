/** Chooses which of the tools that an agent may have go to the model, when all of them are too many. Pure: no model call, no clock. */

import type { ToolBudget } from '../../service/agent/tool_budget';
import type { RankedTool } from '../../service/agent/tool_choice';

export interface ChoiceInput {
  /** Tools that every run of the agent has: how many, and the tokens of their schemas. */
  fixed: ToolBudget;
  /** Tokens of the schema of each tool that can be chosen, by name. */
  candidates: ReadonlyMap<string, number>;
  /** The list of the session so far. */
  kept: readonly string[];
  /** Names of tools that activated skills ask for. */
  hints: readonly string[];
  /** Tools that fit the message and the plan, best first. */
  ranked: readonly RankedTool[];
  budget: ToolBudget;
}

/** Room for chosen tools, however many tools every run has. */
const LEAST_TOOLS = 5;
const LEAST_TOKENS = 1_500;
/** Tools that a later message adds at most: each change of the list costs the prompt cache. */
const MAX_ADDED = 10;
/** A later message adds only tools that fit it about as well as the best one. */
const LEAST_SCORE = 0.25;
/** Budgets past which the list of a session is chosen afresh. */
export const MOST_BUDGETS = 2;

/**
 * Returns the chosen names. The list of a session keeps its old part as a prefix and grows behind it; past twice the budget it is chosen afresh.
 * Names that are no candidates now, because their server is away, keep their place.
 */
export function chooseTools(input: ChoiceInput): string[] {
  const { kept, candidates } = input;
  const list = new Set(kept);
  const isFirst = !kept.some(name => candidates.has(name));
  for (const name of isFirst ? firstTools(input) : laterTools(input, list)) list.add(name);
  return isFirst || fits(input, list, MOST_BUDGETS) ? [...list] : firstTools(input);
}

function firstTools(input: ChoiceInput): string[] {
  const { candidates, hints, ranked } = input;
  const list = new Set<string>();
  for (const name of [...hints, ...ranked.map(({ name }) => name)]) {
    if (!candidates.has(name) || list.has(name)) continue;
    list.add(name);
    if (!fits(input, list, 1)) list.delete(name);
  }
  return [...list];
}

function laterTools({ candidates, hints, ranked }: ChoiceInput, list: ReadonlySet<string>): string[] {
  const isNew = (name: string) => candidates.has(name) && !list.has(name);
  const relevant = ranked.slice(0, MAX_ADDED).filter(({ score }) => score >= LEAST_SCORE);
  return [...hints, ...relevant.map(({ name }) => name)].filter(isNew);
}

/** Returns whether the list stays within so many times the budget. */
function fits({ fixed, candidates, budget }: ChoiceInput, list: ReadonlySet<string>, times: number): boolean {
  const present = [...list].filter(name => candidates.has(name));
  const tokens = present.reduce((sum, name) => sum + (candidates.get(name) ?? 0), 0);
  const room = { tools: times * budget.tools - fixed.tools, tokens: times * budget.tokens - fixed.tokens };
  return present.length <= Math.max(LEAST_TOOLS, room.tools) && tokens <= Math.max(LEAST_TOKENS, room.tokens);
}
