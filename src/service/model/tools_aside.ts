/**
 * Remembers, in memory, the tools whose definition the server of a model refuses. Such a tool is not offered to the model until its definition
 * changes, because the server refuses every request with the tool.
 */
import { AppError, toAppError } from '../../errors';
import type { LlmAnswer, LlmPort, LlmRequest, LlmSink, WireTool } from '../../port/llm';

interface Aside {
  reason: string;
  /** The refused definitions as JSON: one in each language. */
  definitions: Set<string>;
}

/** Callers bring tools of their own, under any name. */
const MAX_TOOLS = 200;
const MAX_DEFINITIONS = 8;

export class ToolsAside {
  private readonly byName = new Map<string, Aside>();
  /** Offered lists by given list: lists are cached by identity later, so the same list must give the same result. */
  private offered = new WeakMap<readonly WireTool[], readonly WireTool[]>();

  /** Returns the tools without the tools that the server refuses; the same list when the server refuses none. */
  offerable(tools: readonly WireTool[]): readonly WireTool[] {
    if (this.byName.size === 0) return tools;
    const known = this.offered.get(tools);
    if (known) return known;
    const left = tools.filter(tool => !this.byName.get(tool.function.name)?.definitions.has(JSON.stringify(tool.function)));
    const list = left.length === tools.length ? tools : left;
    this.offered.set(tools, list);
    return list;
  }

  /** Puts the named tools aside. `tools`: the list that was refused. Returns the tools of the list that were put aside. */
  putAside(names: readonly string[], tools: readonly WireTool[], reason: string): WireTool[] {
    const refused = tools.filter(tool => names.includes(tool.function.name));
    for (const { function: definition } of refused) {
      const aside = this.byName.get(definition.name);
      const definitions = [...(aside?.definitions ?? []), JSON.stringify(definition)].slice(-MAX_DEFINITIONS);
      this.byName.delete(definition.name);
      this.byName.set(definition.name, { reason, definitions: new Set(definitions) });
    }
    for (const name of this.byName.keys()) if (this.byName.size > MAX_TOOLS) this.byName.delete(name);
    if (refused.length > 0) this.offered = new WeakMap();
    return refused;
  }

  /** Offers the tools again, because the request failed without these tools, too. */
  takeBack(tools: readonly WireTool[]): void {
    for (const { function: definition } of tools) {
      const aside = this.byName.get(definition.name);
      aside?.definitions.delete(JSON.stringify(definition));
      if (aside?.definitions.size === 0) this.byName.delete(definition.name);
    }
    if (tools.length > 0) this.offered = new WeakMap();
  }

  /** Notes that the server took these tools. A tool with a new definition is no longer put aside. */
  noteAccepted(tools: readonly WireTool[]): void {
    if (this.byName.size === 0) return;
    for (const { function: definition } of tools) {
      const aside = this.byName.get(definition.name);
      // The definition in another language may still be refused.
      if (aside && !aside.definitions.has(JSON.stringify(definition))) this.byName.delete(definition.name);
    }
  }

  /** Tool name -> the words of the server. */
  list(): { tool: string; reason: string }[] {
    return [...this.byName].map(([tool, { reason }]) => ({ tool, reason }));
  }
}

/** Number of refusals after which a request puts aside all foreign tools; until then it puts aside the tools that a refusal names. */
const MAX_NAMED = 16;
const MAX_REFUSALS = 24;

/**
 * Sends a request. When the server refuses tools and no part of the answer was shown, sends it again without these tools. When a request without the
 * refused tools succeeds, calls `onAside` with the names of these tools.
 */
export async function streamWithTools(
  { client, toolsAside }: { client: LlmPort; toolsAside: ToolsAside },
  request: LlmRequest,
  sink: LlmSink & { readonly isShown: boolean },
  onAside: (names: readonly string[], reason: string) => void,
): Promise<LlmAnswer> {
  const refused: WireTool[] = [];
  let reason = '';
  for (let refusals = 1; ; refusals++) {
    const tools = toolsAside.offerable(request.tools);
    const offered = tools === request.tools ? request : { ...request, tools };
    try {
      const answer = await client.stream(offered, sink);
      toolsAside.noteAccepted(tools);
      if (refused.length > 0) onAside(namesOf(refused), reason);
      return tools === request.tools ? answer : { ...answer, toolsAside: namesOf(request.tools.filter(tool => !tools.includes(tool))) };
    } catch (thrown) {
      const names = sink.isShown || refusals > MAX_REFUSALS ? [] : toolsToPutAside(thrown, offered, refusals > MAX_NAMED);
      reason = toAppError(thrown).message;
      const more = toolsAside.putAside(names, tools, reason);
      refused.push(...more);
      if (more.length > 0) continue;
      if (!sink.isShown) toolsAside.takeBack(refused);
      throw thrown;
    }
  }
}

/**
 * Returns the names of the tools of `request` to put aside after a refusal: the named tools; all foreign tools when the refusal speaks of tools and
 * names none, or after many refusals (`isLate`). Returns none for any other error.
 */
function toolsToPutAside(thrown: unknown, { tools, isForeignTool = () => false }: LlmRequest, isLate: boolean): readonly string[] {
  if (!(thrown instanceof AppError) || thrown.details?.['reason'] !== 'tool_refused') return [];
  const told = thrown.details['tools'];
  const names = Array.isArray(told) ? told.filter(name => typeof name === 'string') : [];
  return names.length > 0 && !isLate ? names : [...names, ...namesOf(tools).filter(isForeignTool)];
}

const namesOf = (tools: readonly WireTool[]): string[] => tools.map(tool => tool.function.name);
