/** Requests of MCP clients at /mcp; the SDK checks the messages. */
import { Type } from '@sinclair/typebox';
import { AnyObject } from '../../controller/schemas/common';
import { says } from '../../utils/bilingual';
import { Optional } from '../../utils/schema_types';

export const McpHeaders = Type.Object({
  'mcp-session-id': Optional.String(
    says('the session; left out with initialize, and from version 2026-07-28 on', '会话 id；initialize 请求和 2026-07-28 起的版本不带'),
  ),
  'mcp-protocol-version': Optional.String(says('the version of the message', '消息的协议版本')),
});

export const McpStreamHeaders = Type.Object({
  ...McpHeaders.properties,
  'last-event-id': Optional.String(says('the last event that the client has', '客户端已收到的最后一个事件')),
});

export const McpMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Optional.Union([Type.String(), Type.Integer()]),
    method: Optional.String(),
    params: Type.Optional(AnyObject),
    result: Type.Optional(AnyObject),
    error: Type.Optional(AnyObject),
  },
  { examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask_default', arguments: { input: 'list the files' } } }] },
);
