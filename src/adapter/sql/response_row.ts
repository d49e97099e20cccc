/** The table of the responses of /v1/responses. */
export interface ResponseRow {
  tenant_id: string;
  run_id: string;
  session_id: string;
  /** JSON. */
  settings: string;
  /** JSON. */
  input: string;
  is_kept: 0 | 1;
  created_at: number;
}
