/** The owner of a thing that is no session, such as a memory or a job, and who sees it. */
import type { Visibility } from './session_access';

/** The fields of a record with an owner. A thing without an owner belongs to its tenant. */
export interface Owned {
  /** The handle of the person to whom it belongs, such as `@anna`. */
  owner?: string;
  /** Absent: tenant. */
  visibility?: Visibility;
  /** Members who see a shared thing: a handle, `role:<role>` or `group:<group>`. */
  sharedWith?: readonly string[];
}

/** Who sees a thing. */
export type OwnedChange = Required<Pick<Owned, 'visibility' | 'sharedWith'>>;
