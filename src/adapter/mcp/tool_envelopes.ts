/**
 * Takes what the SDK for servers without sessions refuses through it. It refuses a whole list of tools for one malformed entry, so each entry travels
 * inside a tool that is well formed; and it knows no tasks, so a task travels inside a result.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Wraps the entries of a message that answers `tools/list`. Changes the message. */
export function wrapTools(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const result = message.result as { tools?: unknown };
  if (!Array.isArray(result.tools)) return;
  result.tools = result.tools.map(entry => ({ name: 'entry', inputSchema: { type: 'object' }, _meta: { entry } }));
}

const TASK = 'neta-gateway/task';

/** Wraps a task that answers a call, a type of result that the SDK refuses. Changes the message. */
export function wrapTask(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const { result } = message;
  if (result['resultType'] === 'task') message.result = { resultType: 'complete', content: [], _meta: { [TASK]: result } } as never;
}

/** Returns the task as the server sent it; undefined for a result. */
export const unwrapTask = ({ _meta }: { _meta?: Record<string, unknown> | undefined }): Record<string, unknown> | undefined =>
  _meta?.[TASK] as Record<string, unknown> | undefined;

/** Returns the entries of a list as the server sent them. */
export const unwrapTools = ({
  tools,
  ...page
}: { tools: { _meta?: Record<string, unknown> | undefined }[] } & Record<string, unknown>) => ({
  ...page,
  tools: tools.map(({ _meta }) => _meta?.['entry']),
});
