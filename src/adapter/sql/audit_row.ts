/** Rows of the audit log, and values that the gateway keeps about its own database. */

/** See AuditRecord. */
export interface AuditRow {
  position: number;
  id: string;
  tenant_id: string;
  at: number;
  actor: string;
  action: string;
  target: string;
  /** The details as the exact JSON text that was hashed. */
  details: string;
  prev_hash: string;
  hash: string;
}

export interface SettingRow {
  key: string;
  value: string;
}
