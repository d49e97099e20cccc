/**
 * Tools of MCP servers and manifests, by source. Their texts and schemas are untrusted: a tool that does not pass every check is kept with the
 * reasons and never offered.
 */
import { type Bilingual, inBoth } from '../utils/bilingual';
import { clipStart } from '../utils/clip_text';
import { findInvisible, showInvisible } from '../utils/invisible_text';
import { isOfObjects } from '../utils/is_of_objects';
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
  readonly problems: readonly Bilingual[];
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
      if (owner) return unusable(entry, [isTakenBy(entry.name, owner.toolset)]);
      if (isTaken(entry.name))
        return unusable(entry, [
          inBoth(`the name ${entry.name} is taken by a tool of the gateway`, `名称 ${entry.name} 已被网关的工具占用`),
        ]);
      tools.set(entry.name, entry);
      return entry;
    };
    this.entries = [...this.sources.values()].flatMap(byOrigin => [...byOrigin.values()].flat()).map(assign);
    this.tools = tools;
  }
}

const isTakenBy = (name: string, toolset: string): Bilingual =>
  inBoth(`the name ${name} is taken by another tool of the toolset ${toolset}`, `名称 ${name} 已被工具集 ${toolset} 的另一个工具占用`);

/** Returns true for an entry with problems, which is never offered. */
export const isUnusable = (entry: ToolEntry): entry is UnusableTool => 'problems' in entry;

function checkEntry(entry: ToolEntry, toolset: string): ToolEntry {
  if (isUnusable(entry)) return unusable({ ...entry, toolset }, entry.problems);
  const problems =
    entry.toolset === toolset
      ? problemsOf(entry)
      : [inBoth(`it belongs to the toolset ${entry.toolset}, not to ${toolset}`, `它属于工具集 ${entry.toolset}，而不是 ${toolset}`)];
  return problems.length === 0 ? entry : unusable(entry, problems);
}

/** Reduces a bad tool to the fields that a page can show. */
function unusable({ name, toolset, label, origin }: ToolEntry, problems: readonly Bilingual[]): UnusableTool {
  const shown = (text: string) => clipStart(showInvisible(text), MAX_SHOWN_UNITS);
  return { name: shown(name), toolset, label: shown(label), origin, problems };
}

function problemsOf(tool: AgentTool): Bilingual[] {
  const { name, label, description } = tool;
  const problems = [nameProblem(name), textProblem(['label', '标签'], label, MAX_LABEL_UNITS)];
  problems.push(textProblem(['description', '描述'], description, MAX_DESCRIPTION_UNITS));
  problems.push(parametersProblem(tool));
  return problems.filter(problem => problem !== undefined);
}

function nameProblem(name: string): Bilingual | undefined {
  if (name.length > 64) return inBoth(`its name has ${name.length} characters, more than 64`, `其名称有 ${name.length} 个字符，超过 64 个`);
  if (!isToolName(name)) return inBoth('its name must consist of letters, digits, _ and -', '其名称只能由字母、数字、_ 和 - 组成');
  return name === '__proto__' ? inBoth('its name is __proto__', '其名称为 __proto__') : undefined;
}

function textProblem([en, zhCN]: readonly [en: string, zhCN: string], text: string, maxUnits: number): Bilingual | undefined {
  if (text.length > maxUnits) return inBoth(`its ${en} has more than ${maxUnits} characters`, `其${zhCN}超过 ${maxUnits} 个字符`);
  const found = findInvisible(text);
  return found === undefined ? undefined : inBoth(`its ${en} holds the invisible character ${found}`, `其${zhCN}含有不可见字符 ${found}`);
}

function parametersProblem(tool: AgentTool): Bilingual | undefined {
  // Model servers refuse a whole request because of one tool whose schema is not of the type object.
  if (!isOfObjects(tool.parameters)) return inBoth('its schema is not of the type object', '其 schema 的类型不是 object');
  return schemaProblem(tool) ?? invisibleText(tool.parameters);
}

/** Patterns are skipped, because they may name any character. */
function invisibleText(value: unknown): Bilingual | undefined {
  if (typeof value === 'string') {
    const found = findInvisible(value);
    return found === undefined
      ? undefined
      : inBoth(`its schema holds the invisible character ${found}`, `其 schema 含有不可见字符 ${found}`);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (key === 'pattern' || key === 'patternProperties') continue;
    const problem = invisibleText(key) ?? invisibleText(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
