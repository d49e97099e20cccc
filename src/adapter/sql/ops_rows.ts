/** Rows of the switches of operators and of the gateways on one store. */

/** A switch that is off: a switch without a row is on. See OpsSwitch. */
export interface OpsSwitchRow {
  tenant_id: string;
  name: string;
  reason: string | null;
  changed_by: string;
  changed_at: number;
}

/** See OpsNode. */
export interface OpsNodeRow {
  id: string;
  seen_at: number;
  wanted_until: number;
  figures: string;
}
