import type { McpServer, Tool } from '../../views/tools/tool_api';

/** The figures of one tool since `countedSince`, of all gateways. */
export interface ToolFigures extends Pick<Tool, 'name' | 'toolset' | 'origin' | 'label' | 'effect' | 'enabled'> {
  /** Why it cannot run. */
  reason?: string;
  isSwitchedOff: boolean;
  problems?: readonly string[];
  calls: number;
  errors: number;
  p50Ms?: number;
  p95Ms?: number;
  cached: number;
  duplicates: number;
  /** Characters of all results. */
  resultUnits: number;
  lastError?: { status: string; at: string };
}

/** The answer of GET /ops/tools. Times are ISO-8601 UTC. */
export interface ToolsView {
  countedSince: string;
  tools: readonly ToolFigures[];
  /** Level of the patch engine that found the place -> patches. */
  patchLevels: Readonly<Record<string, number>>;
  mcpServers: readonly McpServer[];
  /** Each with its file and line. */
  manifestProblems: readonly string[];
}
