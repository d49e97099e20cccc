/**
 * Checks the chain of the audit log: each row has the hash of its content and of the row before, and the newest row is the row that was written last.
 */

import type { PlacedAuditRecord } from '../../port/store/audit';
import { auditHash } from '../../port/store/audit_hash';
import type { StoreReader } from '../../port/store/store';
import { yieldToEventLoop } from '../../utils/yield_to_event_loop';

/**
 * `changed`: the content of the row is not what was written. `gap`: the row before this row is gone or replaced. `cut`: rows behind this row are
 * gone.
 */
export type AuditFault = 'changed' | 'gap' | 'cut';

export type AuditCheck = {
  /** Sealed rows that were read. */
  rows: number;
  /** Rows that wait to be sealed: the check says nothing about them. Usually 0. */
  unsealed: number;
  /** Hash of the newest sealed row: note it elsewhere to prove later that the log was not written anew. Undefined for an empty log. */
  head: string | undefined;
} & (
  | { ok: true }
  /** `id`: the first broken row, or the last one before a cut; absent when no row is left. */
  | { ok: false; fault: AuditFault; id?: string; at?: number }
);

/** Rows read at once; about 5 ms. */
const SLICE = 500;

interface Place {
  position: number;
  hash: string;
  last?: PlacedAuditRecord;
}

/** Rows may be added, and the oldest rows pruned, while the check reads. */
export async function checkAuditChain(read: Pick<StoreReader, 'audit'>): Promise<AuditCheck> {
  let place = await beginning(read);
  let rows = 0;
  for (;;) {
    // The end of the chain is read first: the row that it names is then in the slice, or gone.
    const { head } = await read.audit.ends();
    const slice = await read.audit.readChain(place.position, SLICE);
    if (slice.length === 0) return { rows, head, unsealed: await read.audit.countUnsealed(), ...faultAtEnd(place, head) };
    for (const row of slice) {
      const fault = await faultOf(row, place, read);
      if (fault) return { ok: false, rows, head, unsealed: await read.audit.countUnsealed(), fault, id: row.id, at: row.at };
      place = { position: row.position, hash: row.hash, last: row };
      rows += 1;
    }
    await yieldToEventLoop();
  }
}

async function beginning(read: Pick<StoreReader, 'audit'>): Promise<Place> {
  const { prunedThrough, prunedHash } = await read.audit.ends();
  return { position: prunedThrough, hash: prunedHash };
}

async function faultOf(row: PlacedAuditRecord, place: Place, read: Pick<StoreReader, 'audit'>): Promise<AuditFault | undefined> {
  if (!isUnchanged(row)) return 'changed';
  if (row.prevHash === place.hash) return undefined;
  // Retention may have removed the row before while this runs.
  const { position, hash } = await beginning(read);
  return position > place.position && row.prevHash === hash ? undefined : 'gap';
}

function isUnchanged(row: PlacedAuditRecord): boolean {
  try {
    return auditHash(row.prevHash, row) === row.hash;
  } catch {
    // A time that was changed to none.
    return false;
  }
}

function faultAtEnd(
  { hash, position, last }: Place,
  head: string | undefined,
): { ok: true } | { ok: false; fault: 'cut'; id?: string; at?: number } {
  const isEmpty = position === 0 && head === undefined;
  if (isEmpty || head === hash) return { ok: true };
  return { ok: false, fault: 'cut', id: last?.id, at: last?.at };
}
