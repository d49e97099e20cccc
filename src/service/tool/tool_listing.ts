/** The rows of the tool catalog, for the doors. */
import type { Locale } from '../../port/store/sessions';
import { getAllToolNames, getSchema, getToolNamesByToolsets, getToolsets, TOOLSET_DEFAULTS } from '../../tools/catalog';
import type { ManifestFacts, ToolOrigin, ToolSpec } from '../../tools/common';
import { isForTenant, isUnusable, type ToolEntry, type UnusableTool } from '../../tools/foreign_tools';
import type { ToolRegistry } from '../../tools/registry';
import { type McpToolDescriptor, toMcpDescriptor } from '../../tools/tool_exports';
import { type Bilingual, joinClauses } from '../../utils/bilingual';

/** Rows that are left out do not match; absent fields match everything. */
export interface ToolFilter {
  /** Leaves out tools that the tenant does not have. */
  tenantId: string;
  toolset?: string;
  origin?: ToolOrigin;
  enabled?: boolean;
  /** Returns why an operator has switched a tool off. */
  offText?: (tool: string) => string | undefined;
}

export interface ToolRow {
  name: string;
  toolset: string;
  origin: ToolOrigin;
  label: string;
  description: string;
  effect: ToolSpec['effect'];
  parameters: unknown;
  /** The hints of the Model Context Protocol, which follow from the effect. Absent for a tool that cannot be described. */
  annotations?: McpToolDescriptor['annotations'];
  /** Offered in every run of the agents that may have it. */
  always?: true;
  enabled: boolean;
  /** Why the tool cannot run, as a sentence. */
  reason?: string;
  /** Mistakes in its definition. */
  problems?: readonly string[];
  /** Models that are not offered the tool, because their server refuses it. */
  asideFor?: readonly { model: string; reason: string }[];
  manifest?: ManifestFacts;
}

/** Returns the tools of the catalog, then those of MCP servers and manifests, unusable ones too. */
export function listToolRows(registry: ToolRegistry, locale: Locale, filter: ToolFilter): ToolRow[] {
  const own = getAllToolNames().flatMap(name => getSchema(name) ?? []);
  const rows = [...own.map(spec => ownRow(spec, registry, locale)), ...foreignOf(registry, filter).map(entry => foreignRow(entry, locale))];
  const { toolset, origin, enabled, offText } = filter;
  return rows
    .map(row => switchedOff(row, offText?.(row.name)))
    .filter(
      row =>
        (toolset === undefined || row.toolset === toolset) &&
        (origin === undefined || row.origin === origin) &&
        (enabled === undefined || row.enabled === enabled),
    );
}

const switchedOff = (row: ToolRow, reason: string | undefined): ToolRow =>
  reason === undefined ? row : { ...row, enabled: false, reason };

/** Returns one row for each toolset and origin: an MCP server may have the name of a built-in toolset. */
export function listToolsetRows(registry: ToolRegistry, filter: Pick<ToolFilter, 'tenantId'>) {
  const own = getToolsets().map(name => {
    const tools = getToolNamesByToolsets([name]);
    const isDefault = (TOOLSET_DEFAULTS as readonly string[]).includes(name);
    const origin = getSchema(tools[0] ?? '')?.origin ?? 'builtin';
    return { name, origin, tools, default: isDefault, enabled: tools.some(tool => registry.has(tool)) };
  });
  const foreign = new Map<string, { name: string; origin: ToolOrigin; tools: string[]; default: false; enabled: boolean }>();
  for (const entry of foreignOf(registry, filter)) {
    const origin = originOf(entry);
    const key = `${entry.toolset}\n${origin}`;
    const row = foreign.get(key) ?? { name: entry.toolset, origin, tools: [], default: false, enabled: false };
    row.tools.push(entry.name);
    if (!isUnusable(entry)) row.enabled = true;
    foreign.set(key, row);
  }
  return [...own, ...foreign.values()];
}

const foreignOf = (registry: ToolRegistry, { tenantId }: Pick<ToolFilter, 'tenantId'>): ToolEntry[] =>
  registry.listForeign().filter(entry => isForTenant(entry, tenantId));

/** Explains why a tool cannot run. `problem`: the mistake in its definition. */
export function unavailableText(toolset: string, locale: Locale, problem: Bilingual | undefined): string {
  if (problem) return locale === 'zh-CN' ? `此工具已停用：${problem[locale]}。` : `The tool is disabled: ${problem[locale]}.`;
  return locale === 'zh-CN' ? `本网关还没有为工具集 ${toolset} 提供服务。` : `This gateway has no service yet for the toolset ${toolset}.`;
}

const originOf = ({ origin }: Pick<ToolEntry, 'origin'>): ToolOrigin => origin ?? 'builtin';

function ownRow(spec: ToolSpec, registry: ToolRegistry, locale: Locale): ToolRow {
  const enabled = registry.has(spec.name);
  const problem = registry.problemOf(spec.name);
  const reason = enabled ? undefined : unavailableText(spec.toolset, locale, problem);
  return { ...describe(spec, locale), enabled, reason, problems: problem && !spec.needs ? [problem[locale]] : undefined };
}

function foreignRow(entry: ToolEntry, locale: Locale): ToolRow {
  return isUnusable(entry) ? unusableRow(entry, locale) : { ...describe(entry, locale), enabled: true };
}

/** The row of an unusable tool, without its texts and schema: these may be hostile or too large to show. */
function unusableRow(entry: UnusableTool, locale: Locale): ToolRow {
  const { name, toolset, label, problems } = entry;
  const reason = unavailableText(toolset, locale, joinClauses(problems));
  const unknown = { description: '', effect: 'external' as const, parameters: { type: 'object' } };
  return {
    name,
    toolset,
    origin: originOf(entry),
    label,
    ...unknown,
    enabled: false,
    reason,
    problems: problems.map(problem => problem[locale]),
  };
}

function describe(spec: ToolSpec, locale: Locale): Omit<ToolRow, 'enabled'> {
  const { toolset, effect, manifest, always } = spec;
  const { name, title: label, description, inputSchema: parameters, annotations } = toMcpDescriptor(spec, locale);
  const facts = manifest && { manifest };
  return {
    name,
    toolset,
    origin: originOf(spec),
    label,
    description,
    effect,
    parameters,
    annotations,
    always: always || undefined,
    ...facts,
  };
}
