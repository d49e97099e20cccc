/** Reads what a tool did to the memories from the details of its result. */
import type { ToolItem } from '../state/view_types';
import { MEMORY_KINDS, type MemoryKind } from '../views/memory/memory_api';

export interface MemoryResult {
  /** `known`: not saved, because `memory` says nearly the same. */
  status: 'remembered' | 'known' | 'forgotten';
  memory: { id: string; text: string };
  /** The text that was not saved. */
  proposed?: { text: string; kind: MemoryKind };
}

const STATUSES: Readonly<Record<string, MemoryResult['status']>> = {
  created: 'remembered',
  updated: 'remembered',
  near_duplicate: 'known',
  forgotten: 'forgotten',
};

/** Returns undefined for a result that is not about one memory. */
export function readMemoryResult({ details, args, state }: Pick<ToolItem, 'details' | 'args' | 'state'>): MemoryResult | undefined {
  if (state !== 'ok' || !details) return undefined;
  const status = STATUSES[String(details['status'])];
  const memory = textFields(details['memory']);
  if (!status || !memory || typeof memory['id'] !== 'string' || typeof memory['text'] !== 'string') return undefined;
  const { text, kind } = textFields(args) ?? {};
  const proposed = status === 'known' && typeof text === 'string' ? { text, kind: toKind(kind) } : undefined;
  return { status, memory: { id: memory['id'], text: memory['text'] }, ...(proposed && { proposed }) };
}

const toKind = (kind: unknown): MemoryKind => MEMORY_KINDS.find(known => known === kind) ?? 'fact';

const textFields = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
