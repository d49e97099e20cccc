/**
 * Classes whose methods are tools (`@AgentTool`). At the start the container creates each one with its services, and its tools join the built-in
 * tools before the gateway accepts requests. docs/guides/write-a-tool.md has an example.
 */
export const TOOL_CLASSES: readonly (new () => object)[] = [];
