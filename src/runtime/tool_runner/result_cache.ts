/**
 * Caches results of tools whose effect is `read`. The key consists of tenant, tool and arguments, and for files of the person who sees them. A call that may have changed the workspace drops
 * the results of its tenant. Failures are not cached.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../port/clock';
import type { AgentTool, ToolContext, ToolResult } from '../../tools/common';
import { estimateSize } from '../../utils/estimate_size';
import { callKey } from '../call_key';

export interface ResultCacheOptions {
  /** Milliseconds; 0 turns the cache off. */
  ttlMs: number;
  /** Default 1,000; the least recently used result is evicted first. */
  maxEntries?: number;
  /** Characters of all results and keys together; default 16 Mi. */
  maxLength?: number;
  /** Called when a call may have changed the workspace of a tenant; without a tenant, those of all tenants. */
  onChange?: (tenantId?: string) => void;
}

interface Entry {
  result: ToolResult;
  expiresAt: number;
  /** Sessions that have seen the result. */
  sessions: Set<string>;
}

export interface CachedResult {
  result: ToolResult;
  /** True when the same session has made the same call before. */
  isDuplicate: boolean;
}

/** Characters of one result and its key; a longer one is not cached. */
const MAX_ENTRY_LENGTH = 256 * 1024;
const MAX_ENTRIES = 1_000;

export class ResultCache {
  private readonly entries: LRUCache<string, Entry>;
  /** Grows with each change that concerns all tenants. */
  private generation = 0;
  /** Grows with each change of a tenant; absent: no change so far. */
  private readonly tenantGenerations = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly options: ResultCacheOptions,
  ) {
    this.entries = new LRUCache({
      max: options.maxEntries ?? MAX_ENTRIES,
      maxSize: options.maxLength ?? 16 * 1024 * 1024,
      maxEntrySize: MAX_ENTRY_LENGTH,
      sizeCalculation: ({ result }, key) => key.length + estimateSize(result),
    });
  }

  /** Returns the key of a call, or undefined when its result must not be cached. */
  keyFor(tool: AgentTool, args: unknown, ctx: Pick<ToolContext, 'tenantId' | 'locale' | 'filesOf'>): string | undefined {
    if (this.options.ttlMs === 0 || tool.effect !== 'read' || tool.isVolatile) return undefined;
    const generation = `${this.generation}.${this.tenantGenerations.get(ctx.tenantId) ?? 0}`;
    const viewer = tool.workspace === undefined ? '' : (ctx.filesOf ?? '');
    return [ctx.tenantId, viewer, tool.version ?? '1', ctx.locale, generation, callKey(tool.name, args)].join('\n');
  }

  /** Returns the cached result; undefined when there is none or it has expired. `isDuplicate`: this session has had the result before. */
  get(key: string, sessionId: string | undefined): CachedResult | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt <= this.clock.now()) return undefined;
    const isDuplicate = sessionId !== undefined && entry.sessions.has(sessionId);
    if (sessionId !== undefined) entry.sessions.add(sessionId);
    return { result: entry.result, isDuplicate };
  }

  /** Caches a result for all sessions of the tenant. A failed result is not cached, and neither is one with images, which are large. */
  set(key: string, result: ToolResult, sessionId: string | undefined): void {
    if (!result.ok || result.images) return;
    const sessions = new Set(sessionId === undefined ? [] : [sessionId]);
    this.entries.set(key, { result, expiresAt: this.clock.now() + this.options.ttlMs, sessions });
  }

  /** Drops the results of a tenant whose workspace a call may have changed; without a tenant, the results of all tenants. */
  invalidate(tenantId?: string): void {
    this.drop(tenantId);
    this.options.onChange?.(tenantId);
  }

  /** Drops the results alone: the workspace got changes that are stored already. */
  drop(tenantId?: string): void {
    if (tenantId === undefined) this.generation += 1;
    else this.tenantGenerations.set(tenantId, (this.tenantGenerations.get(tenantId) ?? 0) + 1);
  }
}
