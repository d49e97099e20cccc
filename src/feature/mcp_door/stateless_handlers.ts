/** The handlers of the SDK for requests without a session. They keep nothing of a client but its open connections. */
import type { McpHttpHandler, McpRequestContext, Server, ServerEventBus } from '@modelcontextprotocol/server';
import type { LogError } from '../../port/logger';
import { statelessSdk } from './stateless_sdk';

/** auto: plain JSON, or events where something is sent before the answer. sse: events from the start, which keep a long answer's connection alive. */
export type AnswerMode = 'auto' | 'sse';

/** The field of `authInfo.extra` that holds the factory of the server for one request. */
export const CREATE_SERVER = 'createServer';

export class StatelessHandlers {
  private readonly handlers = new Map<AnswerMode, McpHttpHandler>();
  private bus: ServerEventBus | undefined;

  constructor(private readonly onError: LogError) {}

  handlerFor(mode: AnswerMode): McpHttpHandler {
    const known = this.handlers.get(mode);
    if (known) return known;
    const { createMcpHandler, InMemoryServerEventBus } = statelessSdk();
    this.bus ??= new InMemoryServerEventBus();
    const handler = createMcpHandler(createServerFor, {
      legacy: 'reject',
      responseMode: mode,
      bus: this.bus,
    });
    this.handlers.set(mode, handler);
    return handler;
  }

  /** Tells clients that listen that their lists of tools may have changed. */
  announceTools(): void {
    this.bus?.publish({ kind: 'tools_list_changed' });
  }

  /** Ends all connections. Never rejects. */
  stop(): void {
    for (const handler of this.handlers.values())
      handler.close().catch(thrown => this.onError('connections of MCP clients could not be ended', thrown));
    this.handlers.clear();
  }
}

/** The door has put the factory into every request. */
function createServerFor({ authInfo: { extra = {} } = { token: '', clientId: '', scopes: [] } }: McpRequestContext): Server {
  return (extra[CREATE_SERVER] as () => Server)();
}
