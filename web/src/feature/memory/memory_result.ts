/** Reads what a tool did to the memories from the details of its result. */
import type { ToolItem } from '../../state/view_types';
import { MEMORY_KINDS, type MemoryKind } from './memory_api';

export interface MemoryResult {
  /** `known`: the text was not saved, because `memory` says nearly the same. */
  status: 'remembered' | 'known' | 'forgotten';
  memory: { id: string; text: string };
  /** The text that was not saved. */
  proposed?: { text: string; kind: MemoryKind };
}

/** Returns undefined for a result that is not about one memory. */
export function readMemoryResult({ details, args, state }: Pick<ToolItem, 'details' | 'args' | 'state'>): MemoryResult | undefined {
  if (state !== 'ok' || !details) return undefined;
  const remembered = toMemory(details['memory']);
  if (remembered) return { status: 'remembered', memory: remembered };
  const forgotten = toMemory(details['forgotten']);
  if (forgotten) return { status: 'forgotten', memory: forgotten };
  const known = toMemory(details['nearDuplicate']);
  if (!known) return undefined;
  const { text, kind } = toFields(args);
  return { status: 'known', memory: known, proposed: typeof text === 'string' ? { text, kind: toKind(kind) } : undefined };
}

function toMemory(value: unknown): MemoryResult['memory'] | undefined {
  const { id, text } = toFields(value);
  return typeof id === 'string' && typeof text === 'string' ? { id, text } : undefined;
}

const toKind = (kind: unknown): MemoryKind => MEMORY_KINDS.find(known => known === kind) ?? 'fact';

const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
