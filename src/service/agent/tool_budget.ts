/** Limits of the list of tools that a model gets, tools that every run has included. */
export interface ToolBudget {
  tools: number;
  /** Estimated tokens of the schemas. */
  tokens: number;
}
