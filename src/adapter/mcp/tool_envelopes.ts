/**
 * Takes the entries of a list of tools through the SDK for servers without sessions, which refuses the whole list for one malformed entry: each entry
 * travels inside a tool that is well formed.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Wraps the entries of a message that answers `tools/list`. Changes the message. */
export function wrapTools(message: JSONRPCMessage): void {
  if (!('result' in message)) return;
  const result = message.result as { tools?: unknown };
  if (!Array.isArray(result.tools)) return;
  result.tools = result.tools.map(entry => ({ name: 'entry', inputSchema: { type: 'object' }, _meta: { entry } }));
}

/** Returns the entries of a list as the server sent them. */
export const unwrapTools = ({
  tools,
  ...page
}: { tools: { _meta?: Record<string, unknown> | undefined }[] } & Record<string, unknown>) => ({
  ...page,
  tools: tools.map(({ _meta }) => _meta?.['entry']),
});
