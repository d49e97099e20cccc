/** The client of one MCP session, and one of its requests. */
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Principal } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';

export interface McpClient {
  /** Id of the MCP session. */
  id: string;
  principal: Principal;
  locale: Locale;
  /** Requests are answered with plain JSON: there is no stream for progress and questions. */
  answersJson: boolean;
  /** The client can put a question to its person. */
  canAsk: boolean;
  /** The protocol version that the client asked for. */
  protocolVersion: string;
}

/** One request of a client: its signal, and the way to send messages that belong to it. */
export type CallExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
