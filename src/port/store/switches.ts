/** Switches of operators: what a gateway, a tenant or a tool may do now. Times are milliseconds since 1970. */

/** Tenant id of a switch that holds for all tenants. No tenant has this name. */
export const EVERY_TENANT = '*';

/** A switch that is off. `name`: `accepting`, or `tool:<name>`. */
export interface OpsSwitch {
  tenantId: string;
  name: string;
  reason?: string;
  changedBy: string;
  changedAt: number;
}

export interface SwitchReader {
  /** All tenants: lists every switch that is off. */
  list(): Promise<OpsSwitch[]>;
}

export interface SwitchWriter {
  /** Stores that a switch is off. */
  put(entry: OpsSwitch): Promise<void>;
  /** Deletes the entry of a switch, which is then on. Resolves whether the switch was off. */
  delete(tenantId: string, name: string): Promise<boolean>;
}
