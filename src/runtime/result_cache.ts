/**
 * Results of tools whose effect is `read`, kept for a while. The key holds tenant, tool, arguments and, where the tool says so, the state of
 * what it reads; anything that may have changed the workspace makes all results old. Failures are never kept.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../port/clock';
import type { AgentTool, ToolContext, ToolResult } from '../tools/common';
import { callKey } from './call_key';

export interface ResultCacheOptions {
  /** Milliseconds; 0 turns the cache off. */
  ttlMs: number;
  maxEntries: number;
}

interface Entry {
  result: ToolResult;
  expiresAt: number;
  /** Sessions that have seen the result. */
  sessions: Set<string>;
}

export interface CachedResult {
  result: ToolResult;
  /** The same session has made the same call before. */
  isDuplicate: boolean;
}

/** Characters of all kept results, and of one with its key; a longer one is not kept. */
const MAX_UNITS = 32 * 1024 * 1024;
const MAX_ENTRY_UNITS = 256 * 1024;

export class ResultCache {
  private readonly entries: LRUCache<string, Entry>;
  private generation = 0;

  constructor(
    private readonly clock: Clock,
    private readonly options: ResultCacheOptions,
  ) {
    this.entries = new LRUCache({
      max: options.maxEntries,
      maxSize: MAX_UNITS,
      maxEntrySize: MAX_ENTRY_UNITS,
      sizeCalculation: ({ result }, key) => key.length + JSON.stringify(result).length,
    });
  }

  /** Key of a call, or undefined when its result must not be kept. */
  async keyOf(tool: AgentTool, args: unknown, ctx: ToolContext): Promise<string | undefined> {
    if (this.options.ttlMs === 0 || tool.effect !== 'read' || tool.isVolatile) return undefined;
    const state = tool.stateOf ? await tool.stateOf(args, ctx) : '';
    if (state === undefined) return undefined;
    return [ctx.tenantId, tool.version ?? '1', ctx.locale, this.generation, state, callKey(tool.name, args)].join('\n');
  }

  get(key: string, sessionId: string | undefined): CachedResult | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt <= this.clock.now()) return undefined;
    const isDuplicate = sessionId !== undefined && entry.sessions.has(sessionId);
    if (sessionId !== undefined) entry.sessions.add(sessionId);
    return { result: entry.result, isDuplicate };
  }

  set(key: string, result: ToolResult, sessionId: string | undefined): void {
    if (!result.ok) return;
    const sessions = new Set(sessionId === undefined ? [] : [sessionId]);
    this.entries.set(key, { result, expiresAt: this.clock.now() + this.options.ttlMs, sessions });
  }

  /** Something may have changed the workspace or the world. */
  invalidate(): void {
    this.generation += 1;
  }
}
