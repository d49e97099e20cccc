/**
 * Tools of MCP servers and manifests, by source. Their texts and schemas are untrusted: a tool that does not pass every check is kept with the
 * reasons and never offered.
 */
import { clipStart } from '../utils/clip_text';
import { findInvisible, showInvisible } from '../utils/invisible_text';
import type { AgentTool, ToolOrigin } from './common';
import { isToolName } from './tool_spec';
import { schemaProblem } from './validation';

/** A tool that cannot be used. `problems`: why, at least one, each a clause without a full stop. */
export interface UnusableTool {
  readonly name: string;
  readonly toolset: string;
  readonly label: string;
  readonly origin?: ToolOrigin;
  readonly tenants?: readonly string[];
  readonly problems: readonly string[];
}

/** What a source brings: a tool, or the reasons why it cannot be used. */
export type ToolEntry = AgentTool | UnusableTool;

/** Returns whether a tenant has the tool. For a tenant without it, the tool does not exist. */
export const isForTenant = ({ tenants }: Pick<ToolEntry, 'tenants'>, tenantId: string): boolean => tenants?.includes(tenantId) ?? true;

const MAX_DESCRIPTION_UNITS = 10_000;
const MAX_LABEL_UNITS = 200;
/** Units of a bad name that a page shows. */
const MAX_SHOWN_UNITS = 100;

export class ForeignTools {
  /** Toolset -> origin -> entries. */
  private readonly sources = new Map<string, Map<ToolOrigin | undefined, readonly ToolEntry[]>>();
  private tools: ReadonlyMap<string, AgentTool> = new Map();
  private entries: readonly ToolEntry[] = [];

  /** Usable tools by name; a source keeps its place when its tools are replaced. */
  get byName(): ReadonlyMap<string, AgentTool> {
    return this.tools;
  }

  /** Every entry in the order of the sources; one that cannot be used has `problems`. */
  list(): readonly ToolEntry[] {
    return this.entries;
  }

  /** Returns the toolsets of all sources, of those without tools too. */
  toolsets(): string[] {
    return [...this.sources.keys()];
  }

  /** Replaces the tools of one source. Without an origin and without entries it empties every source of the toolset. */
  replaceSource(toolset: string, entries: readonly ToolEntry[], origin: ToolOrigin | undefined): void {
    const byOrigin = this.sources.get(toolset) ?? new Map<ToolOrigin | undefined, readonly ToolEntry[]>();
    this.sources.set(toolset, byOrigin);
    if (origin === undefined && entries.length === 0) byOrigin.clear();
    else
      byOrigin.set(
        origin,
        entries.map(entry => checkEntry(entry, toolset)),
      );
  }

  /** Gives each name to its first tool. `isTaken`: names that no foreign tool may have. */
  assignNames(isTaken: (name: string) => boolean): void {
    const tools = new Map<string, AgentTool>();
    const assign = (entry: ToolEntry): ToolEntry => {
      if (isUnusable(entry)) return entry;
      const owner = tools.get(entry.name);
      if (owner) return unusable(entry, [`the name ${entry.name} is taken by another tool of the toolset ${owner.toolset}`]);
      if (isTaken(entry.name)) return unusable(entry, [`the name ${entry.name} is taken by a tool of the gateway`]);
      tools.set(entry.name, entry);
      return entry;
    };
    this.entries = [...this.sources.values()].flatMap(byOrigin => [...byOrigin.values()].flat()).map(assign);
    this.tools = tools;
  }
}

/** Returns true for an entry with problems, which is never offered. */
export const isUnusable = (entry: ToolEntry): entry is UnusableTool => 'problems' in entry;

function checkEntry(entry: ToolEntry, toolset: string): ToolEntry {
  if (isUnusable(entry)) return unusable({ ...entry, toolset }, entry.problems);
  const problems = entry.toolset === toolset ? problemsOf(entry) : [`it belongs to the toolset ${entry.toolset}, not to ${toolset}`];
  return problems.length === 0 ? entry : unusable(entry, problems);
}

/** Reduces a bad tool to the fields that a page can show. */
function unusable({ name, toolset, label, origin }: ToolEntry, problems: readonly string[]): UnusableTool {
  const shown = (text: string) => clipStart(showInvisible(text), MAX_SHOWN_UNITS);
  return { name: shown(name), toolset, label: shown(label), origin, problems };
}

function problemsOf(tool: AgentTool): string[] {
  const { name, label, description } = tool;
  const problems = [nameProblem(name), textProblem('label', label, MAX_LABEL_UNITS)];
  problems.push(textProblem('description', description, MAX_DESCRIPTION_UNITS));
  problems.push(parametersProblem(tool));
  return problems.filter(problem => problem !== undefined);
}

function nameProblem(name: string): string | undefined {
  if (name.length > 64) return `its name has ${name.length} characters, more than 64`;
  if (!isToolName(name)) return 'its name must consist of letters, digits, _ and -';
  return name === '__proto__' ? 'its name is __proto__' : undefined;
}

function textProblem(what: string, text: string, maxUnits: number): string | undefined {
  if (text.length > maxUnits) return `its ${what} has more than ${maxUnits} characters`;
  const found = findInvisible(text);
  return found === undefined ? undefined : `its ${what} holds the invisible character ${found}`;
}

function parametersProblem(tool: AgentTool): string | undefined {
  // Model servers refuse a whole request because of one tool whose schema is not of the type object.
  if (tool.parameters['type'] !== 'object') return 'its schema is not of the type object';
  return schemaProblem(tool) ?? invisibleText(tool.parameters);
}

/** Patterns are skipped, because they may name any character. */
function invisibleText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const found = findInvisible(value);
    return found && `its schema holds the invisible character ${found}`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'pattern' || key === 'patternProperties') continue;
    const problem = invisibleText(key) ?? invisibleText(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
