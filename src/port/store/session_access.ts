/** Who sees a session, and who takes part in it. Times are milliseconds since 1970. */

/** A session without a visibility is visible to its tenant. */
export const VISIBILITIES = ['private', 'shared', 'tenant'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** driver: writes, steers and cancels. approver: answers questions and decides approvals. watcher: reads. */
export const PARTICIPANT_ROLES = ['driver', 'approver', 'watcher'] as const;
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number];

/** The caller of a list: rows of sessions that it does not see are left out. */
export interface Viewer {
  /** The handle of the person. Absent for a key of a service, which sees what its tenant sees. */
  handle?: string;
  /** What members are named by: the handle, `role:<role>` and `group:<group>`. */
  names: readonly string[];
  /** The only session that a guest sees. */
  only?: string;
}

export interface SessionMember {
  tenantId: string;
  /** The first session of those that share owner, visibility and members: the chat with its branches and the sessions of its child runs. */
  accessId: string;
  /** A handle such as `@anna`, `role:<role>` or `group:<group>`. */
  member: string;
  role: ParticipantRole;
  addedBy: string;
  addedAt: number;
}

export interface SessionMemberReader {
  /** Oldest first. */
  list(tenantId: string, accessId: string): Promise<SessionMember[]>;
  /** All tenants: true when a session has an owner. */
  hasOwnedSessions(): Promise<boolean>;
}

export interface SessionMemberWriter {
  /** A member that exists gets the new role. */
  put(member: SessionMember): Promise<void>;
  /** Resolves false when there is no such member. */
  delete(tenantId: string, accessId: string, member: string): Promise<boolean>;
  /** Changes the visibility of all sessions with this access. */
  setVisibility(tenantId: string, accessId: string, visibility: Visibility): Promise<void>;
}
