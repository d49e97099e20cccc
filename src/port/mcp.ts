/** Connections to MCP servers: programs and services that offer tools over the Model Context Protocol. */

import type { Bilingual } from '../utils/bilingual';
import type { TraceContext } from './trace_context';

/** The address or the program of one server. `secrets`: texts that must not appear in errors, logs and results; `redact` of the connection removes them. */
export type McpTarget = { secrets: readonly string[] } & (
  | { kind: 'stdio'; command: string; args: readonly string[]; env: Readonly<Record<string, string>>; isSandboxed: boolean }
  | { kind: 'http'; url: string; headers: Readonly<Record<string, string>>; login?: McpLogin | undefined }
);

/**
 * The server lets people in by OAuth. `client`: as the operator has registered the gateway. Absent: the gateway registers itself. `issuer`: the only
 * authorization server that may be used. Absent: the one of the first login.
 */
export interface McpLogin {
  client?: { id: string; secret?: string | undefined } | undefined;
  scope?: string | undefined;
  issuer?: string | undefined;
}

/** Keeps the login at one server, encrypted, for all gateways on the store. The text is the adapter's own. */
export interface McpLoginKeeper {
  /** Differs for two servers with the same address. */
  readonly id: string;
  /** Resolves with the newest login. */
  read(): Promise<string | undefined>;
  write(login: string): Promise<void>;
  /** Replaces the login by what `change` makes of it. Runs one change at a time among all gateways. Does nothing when there is no login. */
  change(change: (login: string) => Promise<string>): Promise<void>;
}

/** `redirectUrl`: the address to which the browser of the person comes back, with `state`. `known`: the login that is kept now. */
export interface McpLoginStart {
  redirectUrl: string;
  state: string;
  known?: string | undefined;
}

/** `step`: from the start of the login. `iss`: the authorization server, when the browser names it. `keeper`: of the login that this one replaces. */
export interface McpLoginAnswer {
  step: string;
  code: string;
  iss?: string | undefined;
  keeper: McpLoginKeeper;
}

/** `sse`: the older HTTP transport, which the adapter falls back to. */
export type McpTransportKind = 'stdio' | 'http' | 'sse';

/** A tool as the server lists it. Nothing in it is checked but the types of these fields. */
export interface McpTool {
  name: string;
  title?: string;
  description?: string;
  /** Absent when the server sent no object, or one that is nested too deeply. */
  inputSchema?: Record<string, unknown>;
  /** The server offers the tool only through tasks. */
  needsTask?: boolean;
  /** Why the tool cannot be used, a clause. */
  problem?: Bilingual | undefined;
  /** Address of the page that shows calls of the tool: a resource `ui://` of the server. */
  appUri?: string;
  /** The server offers the tool to its pages alone, not to models. */
  isForAppsOnly?: boolean;
}

export interface McpToolList {
  tools: McpTool[];
  /** The server has more tools than the adapter reads. */
  isCut: boolean;
  /** The number of entries that are left out because they have no name. */
  unnamed?: number;
}

/** One part of a result. `bytes`: length of the decoded `base64`. */
export type McpContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; mimeType: string; base64: string; bytes: number }
  | { type: 'resource'; uri: string; mimeType?: string; text?: string; base64?: string; bytes?: number }
  | { type: 'link'; uri: string; name?: string; description?: string; mimeType?: string }
  | { type: 'other'; name: string };

export type McpResource = Extract<McpContent, { type: 'resource' }>;

export interface McpCallResult {
  isError: boolean;
  content: McpContent[];
  structured?: Record<string, unknown>;
}

export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/** Identifies one call; compared by identity. */
export type McpCallKey = object;

/** A server asks the person for values. `schema` is the JSON Schema of a flat object. */
export interface McpElicitation {
  message: string;
  schema: Record<string, unknown>;
  /** The call that asks. Absent where the transport does not show it: over stdio and the older HTTP, and outside of the stream of a call. */
  call?: McpCallKey;
}

export type McpElicitationAnswer =
  | { action: 'accept'; content: Record<string, string | number | boolean | string[]> }
  | { action: 'decline' | 'cancel' };

/** Receives the reports of a connection. None of the functions may throw. */
export interface McpHandlers {
  /** The connection has ended by itself; called once. `reason` is one sentence without secrets. */
  onClose(reason: Bilingual): void;
  /** The server says that its list of tools has changed. A server may call this as often as it likes. */
  onToolsChange(): void;
  /** `signal` aborts when the server withdraws its question or the connection ends. */
  onElicitation(question: McpElicitation, signal: AbortSignal): Promise<McpElicitationAnswer>;
  /** The server has answered a call after the call was cancelled, so the server has stopped working on it. Many servers send no such answer. */
  onLateAnswer(call: McpCallKey): void;
  /** A person has to log in at the server, or to log in again for more rights. `reason`: as that of onClose. May come again and again. */
  onLoginNeeded(reason: Bilingual): void;
  /** A line of the server's stderr: clipped, without secrets and control characters, and not more often than the adapter allows. */
  onStderr(line: string): void;
}

/**
 * The reason why a request failed. refused: the server answered with an error · unsent: the server did not get the request · lost: the connection
 * ended, so it is unknown whether the server executed the request · aborted: the caller's signal aborted. The text is one sentence without
 * secrets; the words of a server are quoted in both languages.
 */
export class McpError extends Error {
  constructor(
    readonly kind: 'refused' | 'unsent' | 'lost' | 'aborted',
    readonly text: Bilingual,
    options?: ErrorOptions,
  ) {
    super(text.en, options);
    this.name = 'McpError';
  }
}

export interface McpCallOptions {
  signal: AbortSignal;
  onProgress: (progress: McpProgress) => void;
  /** Names the call in `McpElicitation` and `onLateAnswer`. */
  key: McpCallKey;
  /** The trace that the call belongs to. Absent: none. */
  trace?: TraceContext | undefined;
}

/** `keeper`: of the login at the server, which the connection refreshes. */
export interface McpConnectOptions {
  signal: AbortSignal;
  keeper: McpLoginKeeper;
}

export interface McpConnection {
  readonly transport: McpTransportKind;
  /** Name and version that the server gives itself. */
  readonly server: { name: string; version: string };
  /** Reads the tools of the server. Rejects with an McpError. */
  listTools(signal: AbortSignal): Promise<McpToolList>;
  /** Calls a tool. Rejects with an McpError. An abort of the signal tells the server that the call is cancelled. */
  callTool(name: string, args: Record<string, unknown>, options: McpCallOptions): Promise<McpCallResult>;
  /** Reads a resource, which may have several parts. Rejects with an McpError. */
  readResource(uri: string, signal: AbortSignal): Promise<McpResource[]>;
  /** Resolves when the server answers the ping. Rejects with an McpError. */
  ping(signal: AbortSignal): Promise<void>;
  /** Replaces secrets of the target in a text. */
  redact(text: string): string;
  /** Ends the connection, and the process of a stdio server with all its descendants. Never rejects. `onClose` is not called. */
  close(): Promise<void>;
}

/**
 * @example
 * import { inBoth } from '../utils/bilingual';
 * import { type McpConnection, McpError, type McpPort } from './mcp';
 *
 * // No server can be reached.
 * export const noMcp: McpPort = {
 *   connect: async (): Promise<McpConnection> => {
 *     throw new McpError('unsent', inBoth('There is no network.', '没有网络。'));
 *   },
 *   beginLogin: async () => {
 *     throw new McpError('unsent', inBoth('There is no network.', '没有网络。'));
 *   },
 *   finishLogin: async () => '',
 *   revokeLogin: async () => false,
 * };
 */
export interface McpPort {
  /** Connects and resolves when the server has answered. Rejects with an McpError; the signal ends the attempt and what it started. */
  connect(target: McpTarget, handlers: McpHandlers, options: McpConnectOptions): Promise<McpConnection>;
  /** Begins a login at a server. Resolves with the address that a person opens, and a secret for `finishLogin`. Rejects with an McpError. */
  beginLogin(target: McpTarget, start: McpLoginStart): Promise<{ url: string; step: string }>;
  /** Ends a login. Resolves with the login, for the keeper. Rejects with an McpError. */
  finishLogin(target: McpTarget, answer: McpLoginAnswer): Promise<string>;
  /** Tells the authorization server that the login has ended. Resolves whether it has taken that; many offer no such request. Rejects for no failure of it. */
  revokeLogin(target: McpTarget, login: string): Promise<boolean>;
}
