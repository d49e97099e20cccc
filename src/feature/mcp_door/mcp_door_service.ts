/** What the door for MCP clients shares between requests: the sessions of the clients, and the chosen tools. Loaded with the first client. */
import type { ChosenTools, ChosenToolsDeps } from './chosen_tools';
import type { McpSessions, McpSessionsDeps } from './mcp_sessions';

interface OpenDoor {
  sessions: McpSessions;
  chosenTools: ChosenTools;
}

export class McpDoorService {
  private opened: OpenDoor | undefined;

  constructor(private readonly deps: McpSessionsDeps & ChosenToolsDeps) {}

  get sessions(): McpSessions {
    return this.open().sessions;
  }

  get chosenTools(): ChosenTools {
    return this.open().chosenTools;
  }

  /** Returns a sentence for each chosen tool that does not exist. */
  warnings(): string[] {
    return this.deps.names.length === 0 ? [] : this.chosenTools.warnings();
  }

  /** Ends all sessions. */
  stop(): void {
    this.opened?.sessions.stop();
  }

  private open(): OpenDoor {
    if (this.opened) return this.opened;
    const { McpSessions }: typeof import('./mcp_sessions') = require('./mcp_sessions');
    const { ChosenTools }: typeof import('./chosen_tools') = require('./chosen_tools');
    this.opened = { sessions: new McpSessions(this.deps), chosenTools: new ChosenTools(this.deps) };
    const { sessions, chosenTools } = this.opened;
    chosenTools.onChange(() => sessions.announceTools());
    return this.opened;
  }
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface McpDoorServices {
  mcpDoor: McpDoorService;
}
