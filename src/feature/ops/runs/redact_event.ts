/** Replaces what people, models and tools wrote in an event by its length, so that an operator sees the course of a run and no content. */
import type { RunEvent } from '../../../port/run_event';
import { definedFields } from '../../../utils/defined_fields';

/** Fields that hold names, numbers, states and times, and no content. */
const KEPT: ReadonlySet<string> = new Set([
  'door',
  'agent',
  'model',
  'demo',
  'tools',
  'role',
  'truncated',
  'toolCallId',
  'name',
  'tool',
  'command',
  'ok',
  'durationMs',
  'status',
  'cached',
  'duplicate',
  'childRunId',
  'childSessionId',
  'member',
  'requestId',
  'expiresAt',
  'decision',
  'decidedBy',
  'by',
  'from',
  'to',
  'code',
  'retryable',
  'inputTokens',
  'outputTokens',
  'reasoningTokens',
  'cachedTokens',
  'costUsd',
  'beforeTokens',
  'afterTokens',
  'messages',
  'sessionScope',
  'risk',
  'id',
]);
/** Objects of such fields. */
const OPENED: ReadonlySet<string> = new Set(['usage', 'error', 'toolCalls', 'summary', 'images']);

export function redactEvent(event: RunEvent): RunEvent {
  return { ...event, data: redact(event.data) } as RunEvent;
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return hidden(value);
  return Object.fromEntries(
    Object.entries(definedFields(value)).map(([name, field]) => {
      if (KEPT.has(name)) return [name, typeof field === 'object' && !Array.isArray(field) ? redact(field) : field];
      return [name, OPENED.has(name) && typeof field === 'object' ? redact(field) : hidden(field)];
    }),
  );
}

const hidden = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `[${text?.length ?? 0} characters]`;
};
