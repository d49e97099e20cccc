/** MCP clients: the caller of a tool, the client of an MCP session, and one of its requests. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';

/** The program that makes a call. */
export interface McpCaller {
  principal: Principal;
  locale: Locale;
  /** The client can put a question to its person. */
  canAsk: boolean;
}

export interface McpClient extends McpCaller {
  /** Id of the MCP session. */
  id: string;
  /** Requests are answered with plain JSON: there is no stream for progress and questions. */
  answersJson: boolean;
  /** The protocol version that the client asked for. */
  protocolVersion: string;
}

/** One request of a client: its signal, and the way to send messages that belong to it. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
