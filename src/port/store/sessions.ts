/** Sessions of the store. Times are milliseconds since 1970. */
import type { ThinkingLevel } from '../llm';
import type { ModelParameters } from '../model_parameters';
import type { Page, PageRequest } from './page';
import type { Viewer, Visibility } from './session_access';

export type Locale = 'en' | 'zh-CN';

/** The job, the hook or the door that began a session. Sessions of a door are left out of lists and searches unless a filter asks for them. */
export type SessionOrigin = { jobId: string } | { hookId: string } | { door: 'openai' };

export interface SessionRecord {
  tenantId: string;
  id: string;
  title: string;
  agent: string;
  locale: Locale;
  thinkingLevel: ThinkingLevel;
  /** The model of the session's runs. Absent: the model of the agent. */
  model?: string;
  /** Model parameters of the session's runs. */
  parameters?: ModelParameters;
  metadata?: Record<string, unknown>;
  createdAt: number;
  updatedAt: number;
  /** Set for the session of a child run. */
  parentSessionId?: string;
  parentRunId?: string;
  /** The job or the hook that made the session, or the door that made it for one request. Absent: a person or a program made it. */
  origin?: SessionOrigin;
  /** The first session of the chat, in every branch of the chat and in the first session itself. Absent: the chat has no branches. */
  rootSessionId?: string;
  /** Set for a branch: the run in whose place the first run of the branch stands. */
  beforeRunId?: string;
  /** Set for a branch: the session in which that run was replaced. It has the messages of the run, which may be copied from another session. */
  beforeSessionId?: string;
  /** True: above all others in lists of people. */
  pinned?: boolean;
  /** True: left out of lists unless a filter asks for it. */
  archived?: boolean;
  /** The name of the project to which the chat belongs. */
  project?: string;
  /** True: in no list and no search, deleted soon, and its runs keep nothing for later sessions. */
  temporary?: boolean;
  /** A text of the person that stands in the prompt of each run. */
  instructions?: string;
  /** The keys and the people that have ever written instructions of the chat: a run may still have the earlier ones in its prompt. */
  instructionsBy?: readonly string[];
  /** Raised by each change of a message that was in the history already. Absent: there was none. */
  historyVersion?: number;
  /** The handle of the person whose session it is. Absent: a key or the gateway made it, and the tenant sees it. */
  owner?: string;
  /** Absent: `tenant`. */
  visibility?: Visibility;
  /** Set with the owner: the session that has the members of this one, which is itself or the first one of the chat or of the crew. */
  accessId?: string;
}

/** Fields that are absent or undefined stay as they are; null removes the value. */
export type SessionPatch = Partial<Pick<SessionRecord, 'title' | 'agent' | 'locale' | 'thinkingLevel' | 'metadata' | 'updatedAt'>> & {
  model?: string | null;
  parameters?: ModelParameters | null;
} & ChatPatch;

/** Fields that the sessions of a chat have in common. An empty project takes the chat out of its project, null removes the instructions. */
export type ChatPatch = Partial<Pick<SessionRecord, 'title' | 'pinned' | 'archived' | 'project' | 'instructionsBy'>> & {
  instructions?: string | null;
};

export interface SessionFilter {
  /** Selects sessions that this door made, or temporary ones. Absent: both are left out. */
  originDoor?: 'openai' | 'temporary';
  /** Selects the sessions of child runs that this run started. */
  parentRunId?: string;
  /** Words that the title holds, in any order, upper or lower case; parts of words too. */
  title?: string;
  pinned?: true;
  /** True: archived chats alone. False: without them. Absent: without them, unless `title` is given. */
  archived?: boolean;
  agent?: string;
  /** Changed from `since` on, and before `until`. */
  since?: number;
  until?: number;
  project?: string;
  /** Selects those of this person. */
  owner?: string;
  /** Also archived chats, and all branches of a chat instead of the one that was used last. */
  withHidden?: true;
  /** Leaves out what this caller does not see. */
  viewer?: Viewer;
}

export interface SessionReader {
  get(tenantId: string, id: string): Promise<SessionRecord | undefined>;
  /**
   * Lists the most recently updated first; of the same time, the higher id first. Sessions of child runs and of doors are left out unless the
   * filter names the parent run or the door.
   */
  list(tenantId: string, page: PageRequest, filter?: SessionFilter): Promise<Page<SessionRecord>>;
  /** Ids of the sessions of child runs that the runs of this session started. */
  childIds(tenantId: string, sessionId: string): Promise<string[]>;
}

export interface SessionWriter {
  /** Rejects with `internal` when the id is taken. */
  insert(session: SessionRecord): Promise<void>;
  /** Resolves false when the session does not exist. */
  update(tenantId: string, id: string, patch: SessionPatch): Promise<boolean>;
  /**
   * Sets `updatedAt` and resolves with the session and the ordinal of its last run, or of its last message when that is higher (0: it has neither), or
   * with undefined when it does not exist.
   */
  touch(tenantId: string, id: string, updatedAt: number): Promise<{ session: SessionRecord; lastOrdinal: number } | undefined>;
  /**
   * Deletes a part of the session's data: events of ended runs, messages, tool calls, messages of the search index or images, at most `size` rows and
   * fewer where rows are large. Resolves false when no such part is left. Call it until then before `deleteSession`, which removes the rest in one statement and so holds the
   * event loop. Gives up copies of the session: a copy that misses messages or images is never shown.
   */
  deletePart(tenantId: string, id: string, size: number): Promise<boolean>;
  /** Removes the session, the sessions of its child runs and everything that belongs to them. Resolves false when it does not exist. */
  delete(tenantId: string, id: string): Promise<boolean>;
}
