/** What a directory keeps of people and groups over SCIM. */

/** The names that a directory has for a person. */
export interface ScimNameRecord {
  tenantId: string;
  personId: string;
  userName: string;
  externalId?: string | undefined;
}

export interface ScimGroupRecord {
  tenantId: string;
  id: string;
  name: string;
  externalId?: string | undefined;
  createdAt: number;
  updatedAt: number;
}

export interface ScimMemberRecord {
  tenantId: string;
  groupId: string;
  personId: string;
}

/** A person who is in a group, by the name of the group. */
export interface ScimPlace {
  tenantId: string;
  personId: string;
  name: string;
}

export interface ScimReader {
  listNames(tenantId: string): Promise<ScimNameRecord[]>;
  /** Oldest first. */
  listGroups(tenantId: string): Promise<ScimGroupRecord[]>;
  listMembers(tenantId: string): Promise<ScimMemberRecord[]>;
  /** All tenants: who is in which group. */
  listAllMembers(): Promise<ScimPlace[]>;
}

export interface ScimWriter {
  /** Stores the names of a person in place of earlier ones. */
  setName(name: ScimNameRecord): Promise<void>;
  /** Deletes the names of a person, and the person from all groups. */
  forget(tenantId: string, personId: string): Promise<void>;
  insertGroup(group: ScimGroupRecord): Promise<void>;
  /** Stores name, external id and the time of the change. Resolves false when the group does not exist. */
  updateGroup(group: ScimGroupRecord): Promise<boolean>;
  /** Stores the members of a group in place of the earlier ones. */
  setMembers(tenantId: string, groupId: string, people: readonly string[]): Promise<void>;
  /** Resolves false when the group does not exist. */
  deleteGroup(tenantId: string, id: string): Promise<boolean>;
}

declare module '../../../port/store/store' {
  interface StoreReader {
    readonly scim: ScimReader;
  }
  interface StoreWriters {
    scim: ScimWriter;
  }
}
