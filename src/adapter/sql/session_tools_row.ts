/** A row of `session_tools`. */
export interface SessionToolsRow {
  tenant_id: string;
  session_id: string;
  agent: string;
  names: string;
  updated_at: number;
}
