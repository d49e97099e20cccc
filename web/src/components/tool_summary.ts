/** What the head of a tool card says about the call in a few words. */
const LEADING_FIELDS = ['command', 'path', 'question', 'query', 'url', 'name', 'task'];
const MAX_LENGTH = 160;

export function summarizeArguments(args: unknown): string {
  if (typeof args === 'string') return clip(args);
  if (typeof args !== 'object' || args === null) return '';
  const fields = args as Record<string, unknown>;
  const leading = LEADING_FIELDS.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
  if (typeof leading === 'string') return clip(leading);
  if (Array.isArray(fields['todos'])) return clip(currentTodo(fields['todos']));
  const first = Object.values(fields).find(value => typeof value === 'string');
  return typeof first === 'string' ? clip(first) : '';
}

/** Arguments as a person reads them: plain text, also of a single argument, stays plain; everything else is indented JSON. */
export function formatArguments(args: unknown): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [];
  if (values.length === 1 && typeof values[0] === 'string') return values[0];
  return typeof args === 'string' ? args : (JSON.stringify(args, null, 2) ?? '');
}

/** A model may send anything here. */
function currentTodo(todos: readonly unknown[]): string {
  const items = todos.filter((todo): todo is { content?: unknown; status?: unknown } => typeof todo === 'object' && todo !== null);
  const item = items.find(todo => todo.status === 'in_progress') ?? items[0];
  return typeof item?.content === 'string' ? item.content : '';
}

function clip(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
