/** Summaries of tool calls for the head of a tool card. */
import type { ToolItem } from '../../state/view_types';

const LEADING_FIELDS = ['command', 'path', 'question', 'query', 'url', 'name', 'task'];
const MAX_LENGTH = 160;

type PlanProgress = (done: number, total: number) => string;

/** Returns the argument that says most about the call; for a plan its current step, or `planProgress` when no step is left. */
export function summarizeCall({ args, details }: Pick<ToolItem, 'args' | 'details'>, planProgress: PlanProgress): string {
  if (typeof args === 'string') return clip(args);
  if (typeof args !== 'object' || args === null) return '';
  const fields = args as Record<string, unknown>;
  const leading = LEADING_FIELDS.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
  if (typeof leading === 'string') return clip(leading);
  if (Array.isArray(details?.['todos'])) return clip(summarizePlan(details['todos'], planProgress));
  // The arguments of a `merge` are a part of the plan, so they cannot tell how much of it is done.
  if (Array.isArray(fields['todos'])) return clip(summarizePlan(fields['todos'], fields['merge'] === true ? () => '' : planProgress));
  const first = Object.values(fields).find(value => typeof value === 'string');
  return typeof first === 'string' ? clip(first) : '';
}

/** Formats arguments for a person: text, or a single text argument, as it is; everything else as indented JSON. */
export function formatArguments(args: unknown): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [];
  if (values.length === 1 && typeof values[0] === 'string') return values[0];
  return typeof args === 'string' ? args : (JSON.stringify(args, null, 2) ?? '');
}

/** Returns the step in progress, else the next one, else the progress. A model may send anything as items. */
function summarizePlan(todos: readonly unknown[], planProgress: PlanProgress): string {
  const items = todos.filter((todo): todo is { content?: unknown; status?: unknown } => typeof todo === 'object' && todo !== null);
  const step = items.find(todo => todo.status === 'in_progress') ?? items.find(todo => todo.status === 'pending');
  if (typeof step?.content === 'string') return step.content;
  const kept = items.filter(todo => todo.status !== 'cancelled');
  return kept.length === 0 ? '' : planProgress(kept.filter(todo => todo.status === 'completed').length, kept.length);
}

function clip(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
