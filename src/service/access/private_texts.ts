/**
 * Says whether an operator may read texts of a chat that is not visible to its whole tenant: only when the operator of the gateway has allowed it with
 * NETA_READ_PRIVATE_CHATS, and each reading then leaves a row in the audit log of the tenant.
 */
import { AppError } from '../../errors';
import { isOperator, type Principal } from '../../port/principal';
import type { Viewer } from '../../port/store/session_access';
import type { TextReads } from '../audit/text_reads';
import type { SessionAccess } from './session_access';

export interface SessionPlace {
  tenantId: string;
  sessionId: string;
}

export interface PrivateTextsDeps {
  sessionAccess: SessionAccess;
  textReads: Pick<TextReads, 'recordPrivate'>;
  /** The value of NETA_READ_PRIVATE_CHATS. */
  isAllowed: boolean;
}

export class PrivateTexts {
  constructor(private readonly deps: PrivateTextsDeps) {}

  /** Rejects `not_found` when the reader may not read the texts of the session. Call it before texts are sent. */
  async assertReadable(reader: Principal, place: SessionPlace): Promise<void> {
    if (await this.isSeen(reader, place)) return;
    if (!this.opens(reader)) throw new AppError('not_found', { message: 'There is no such session.', messageZh: '没有这个会话。' });
    await this.deps.textReads.recordPrivate(reader, { tenantId: place.tenantId, kind: 'session', id: place.sessionId });
  }

  /** Returns the rows; `withoutText` takes the texts out of rows that the reader may not read. */
  async hideTexts<T>(reader: Principal, rows: readonly T[], placeOf: (row: T) => SessionPlace, withoutText: (row: T) => T): Promise<T[]> {
    const shown: T[] = [];
    for (const row of rows) shown.push((await this.isSeen(reader, placeOf(row))) ? row : withoutText(row));
    return shown;
  }

  /** Returns the caller for the export of a tenant; undefined: everything. */
  viewerOf(reader: Principal): Viewer | undefined {
    return this.opens(reader) ? undefined : this.deps.sessionAccess.viewerOf(reader);
  }

  /** Returns true for an operator of a gateway that lets operators read private chats. */
  opens(reader: Principal): boolean {
    return this.deps.isAllowed && isOperator(reader);
  }

  /** A person is a person of one tenant, so in another tenant the reader sees what that tenant sees. */
  private isSeen({ tenantId, keyName }: Principal, place: SessionPlace): Promise<boolean> {
    const caller = { tenantId: place.tenantId, keyName: place.tenantId === tenantId ? keyName : undefined };
    return this.deps.sessionAccess.maySee(caller, place.sessionId);
  }
}
