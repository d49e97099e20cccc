/** Holds what requests of MCP clients share: the sessions of the clients, and the chosen tools. */
import type { Principal } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { AgentSkills } from '../../service/agent/agent_skills';
import type { Identity } from '../../service/auth/key_ring';
import type { Slot } from '../../utils/slot';
import { ChosenTools, type ChosenToolsDeps } from './chosen_tools';
import { McpSessions, type McpSessionsDeps } from './mcp_sessions';
import { StatelessHandlers } from './stateless_handlers';
import { runKeyOf } from './streamed_call';

export class McpDoorService {
  readonly sessions: McpSessions;
  readonly chosenTools: ChosenTools;
  /** Answers requests that need no session. */
  readonly handlers: StatelessHandlers;

  constructor(private readonly deps: McpSessionsDeps & ChosenToolsDeps & { skills: Slot<AgentSkills> }) {
    this.sessions = new McpSessions(deps);
    this.chosenTools = new ChosenTools(deps);
    this.handlers = new StatelessHandlers(deps.onError);
    this.chosenTools.onChange(() => {
      this.sessions.announceTools();
      this.handlers.announceTools();
    });
  }

  /** The skills of the tenants. */
  get skills(): AgentSkills {
    return this.deps.skills.current;
  }

  /** Returns a sentence for each chosen tool that does not exist. */
  warnings(): string[] {
    return this.deps.names.length === 0 ? [] : this.chosenTools.warnings();
  }

  /** Returns a new id for a call. */
  newCallId(): string {
    return this.deps.ids.uuid();
  }

  /** Finds the run that a call of the last 24 hours has started. */
  async findRunOfCall(tenantId: string, callId: string): Promise<RunRecord | undefined> {
    const { read } = this.deps.store;
    const key = await read.idempotencyKeys.get(tenantId, runKeyOf(callId));
    return key && (await read.runs.get(tenantId, key.runId));
  }

  /** Finds a run that a call with the same key has started. */
  async findRunOfCaller({ tenantId, keyName }: Principal, runId: string): Promise<RunRecord | undefined> {
    const run = await this.deps.store.read.runs.get(tenantId, runId);
    return run?.door === 'mcp' && run.keyName === keyName && !run.parent ? run : undefined;
  }

  /** Calls `end` when the key of a caller ends. Call the returned function once the connection of the caller is over. */
  followCaller(identity: Identity, end: () => void): () => void {
    return this.deps.auth.followConnection(identity, end);
  }

  /** Ends the connections of all clients. */
  stop(): void {
    this.sessions.stop();
    this.handlers.stop();
  }
}

/** The services of this feature, by the names under which its controllers inject them. */
export interface McpDoorServices {
  mcpDoor: McpDoorService;
}
