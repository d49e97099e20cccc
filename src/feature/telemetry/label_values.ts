/** Turns names into label values of closed sets, so that no caller can invent one. */
import type { WorkBegun } from '../../port/observer';
import type { MetricSeries } from './metric_series';

export const OTHER = 'other';
/** Names of tools from outside the code: manifests and MCP servers. */
const MAX_FOREIGN_TOOLS = 200;
const OWN: ReadonlySet<string> = new Set(['builtin', 'code']);

export interface LabelNamesDeps {
  /** True for models that the operator has named. */
  hasModel: (name: string) => boolean;
  findTool: (name: string) => { name: string; toolset: string; origin?: string } | undefined;
}

export class LabelNames {
  private readonly foreignTools = new Set<string>();

  constructor(private readonly deps: LabelNamesDeps) {}

  /** Callers and models may write any name; only tools of the gateway keep theirs. */
  tool({ tool, toolset, origin }: Pick<WorkBegun['tool_call'], 'tool' | 'toolset' | 'origin'>): string {
    if (toolset === undefined || origin === 'caller') return OTHER;
    if (OWN.has(origin) || this.foreignTools.has(tool)) return tool;
    if (this.foreignTools.size >= MAX_FOREIGN_TOOLS) return OTHER;
    this.foreignTools.add(tool);
    return tool;
  }

  registeredTool(name: string): string {
    const tool = this.deps.findTool(name);
    return tool ? this.tool({ tool: name, toolset: tool.toolset, origin: tool.origin ?? 'builtin' }) : OTHER;
  }

  toolset(call: WorkBegun['tool_call']): string {
    return this.tool(call) === OTHER ? OTHER : (call.toolset ?? OTHER);
  }

  /** `gen_ai.tool.type`: extension for tools that other programs run. */
  toolType({ origin }: Pick<WorkBegun['tool_call'], 'origin'>): string {
    return origin === 'mcp' || origin === 'manifest' ? 'extension' : 'function';
  }

  model(name: string): string {
    return this.deps.hasModel(name) ? name : OTHER;
  }
}

/** Returns `value` when the set has it, otherwise `other`. */
export const oneOf = <T extends string>(values: readonly T[], value: string): T | typeof OTHER =>
  (values as readonly string[]).includes(value) ? (value as T) : OTHER;

/** The part of a series that listeners write to. */
export type MetricWriter = Pick<MetricSeries, 'add' | 'observe' | 'change' | 'create'>;
