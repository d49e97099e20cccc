/** Whether new runs are accepted, and who has paused them. */
import { EVERY_TENANT, type OpsSwitch } from '../../../port/store/switches';
import type { Switches } from '../../../service/limits/switches';
import type { OpsAccepting } from '../schemas/view_schemas';
import type { OpsView } from './ops_view';

/** Tells whether new runs are accepted and who has paused them. An operator of all tenants gets the pauses of single ones too. */
export function readAccepting(switches: Switches, { tenantId }: OpsView): OpsAccepting {
  const pause = switches.findPause(tenantId);
  const tenants = tenantId === undefined ? switches.listTenantPauses() : [];
  return {
    accepting: !pause,
    ...(pause && { scope: pause.tenantId === EVERY_TENANT ? ('gateway' as const) : ('tenant' as const), ...whoPaused(pause) }),
    tenants: tenants.length > 0 ? tenants.map(entry => ({ tenantId: entry.tenantId, ...whoPaused(entry) })) : undefined,
  };
}

const whoPaused = ({ reason, changedBy, changedAt }: OpsSwitch) => ({
  reason,
  changedBy,
  changedAt: new Date(changedAt).toISOString(),
});
