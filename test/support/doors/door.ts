/** What the suite of all doors (test/contract/door_contract.ts) needs of a door: its official client, and the form that each behaviour has there. */
import type { RestClient } from '../rest_client';

/** A caller of a gateway. */
export interface DoorCaller {
  /** Address of the gateway. */
  url: string;
  /** The caller's API key. */
  secret: string;
  /** REST with the same key. */
  rest: RestClient;
}

export interface SendOptions {
  /** Continues this conversation: `conversation` of an earlier turn. */
  conversation?: string | undefined;
  /** Default: the agent `default`. */
  agent?: string | undefined;
  /** Gets the text so far while the turn goes on, at doors that stream it. */
  onText?: (soFar: string) => void;
  /** Hears of each step of the run, at doors that report steps alone. */
  onStep?: () => void;
  /** Answers a question in the middle of the turn. Absent: the client does not show questions. */
  onQuestion?: (question: string) => string;
  /** Decides about a tool call. Absent: the client does not show approvals. */
  onApproval?: (shown: string) => 'allow' | 'deny';
  /** Cancels the turn as people do it at this door. */
  cancel?: AbortSignal;
  /** Breaks the connection in the middle of the turn; `send` then resolves with what came so far. */
  leave?: AbortSignal;
}

export interface Turn {
  message: string;
  text: string;
  /** The run, or what this door calls it. */
  id: string;
  /** What continues the conversation: a session, thread or context. */
  conversation: string;
  /** How the turn ended, in the words of this door; undefined after a break. */
  end?: unknown;
  /** The position behind which reading goes on, at doors with cursors. */
  cursor?: string | undefined;
}

/** One thing that a door has sent of a run, with the cursor behind it. */
export interface LogRow {
  cursor: string;
  content: unknown;
}

export interface DoorClient {
  /** Sends a message and resolves at the end of the turn. Rejects with the error of the official client, or with what says that the run failed. */
  send(message: string, options?: SendOptions): Promise<Turn>;
  /** After a break: comes back to the turn and resolves with the whole of it. */
  comeBack?(turn: Turn): Promise<Turn>;
  /** Reads the log of a turn behind a cursor, from its start without one. */
  readLog?(turn: Turn, cursor?: string): Promise<LogRow[]>;
  /** Attempts of another caller to read, continue and cancel the turn. */
  attempts(turn: Turn): (() => Promise<unknown>)[];
  close(): Promise<void>;
}

/** `elsewhere`: this door has no form for it, and another door serves the run. */
export interface DoorForms {
  stream: 'text' | 'steps' | 'state' | 'elsewhere';
  resume: 'cursor' | 'whole' | 'retry' | 'state' | 'none';
  question: readonly ('asked' | 'text' | 'elsewhere')[];
  approval: 'asked' | 'refused' | 'elsewhere';
  cancel: 'request' | 'leaving' | 'elsewhere';
  /** The end of a turn that a budget has cut, as code. Absent: another door tells it. */
  budget?: string;
  /** Where the code of an error stands, as code. */
  error: string;
}

/** What the suite expects to be thrown, for toMatchObject. */
export interface DoorErrors {
  failedRun: object;
  unknownAgent: object;
  wrongKey: object;
  quota: object;
  /** `own`: the id of another tenant names a new conversation here. */
  otherTenant: object | 'own';
}

export interface Door {
  name: string;
  /** Page that describes the door, from docs/guides. */
  guide: string;
  forms: DoorForms;
  /** `end` of turns, for toMatchObject. A door may throw what a cancelled turn ends with. */
  ends: { completed: unknown; budget: unknown; cancelled: unknown };
  errors: DoorErrors;
  connect(caller: DoorCaller): Promise<DoorClient>;
}
