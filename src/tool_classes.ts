/**
 * Classes whose methods are tools (`@AgentTool`): the container makes them and gives them their services, and what they offer is added to the
 * built-in tools before the doors open. docs/guides/write-a-tool.md shows one.
 */
export const TOOL_CLASSES: readonly (new () => object)[] = [];
