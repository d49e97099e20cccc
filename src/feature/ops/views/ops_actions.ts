/** What operators do: cancel runs, pause new runs, switch tools off. Each act is in the audit log. */
import { AppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import type { Actor, Principal } from '../../../port/principal';
import type { RunRecord } from '../../../port/store/runs';
import type { Locale } from '../../../port/store/sessions';
import { EVERY_TENANT } from '../../../port/store/switches';
import { type AuditLog, byActor } from '../../../service/audit/audit_log';
import type { KeyRing } from '../../../service/auth/key_ring';
import { visibleTenant } from '../../../service/auth/visible_tenant';
import type { OpenSockets } from '../../../service/door/open_sockets';
import type { LimitRules } from '../../../service/limits/limit_rules';
import { Switches } from '../../../service/limits/switches';
import type { AgentExecutor } from '../../../service/run/agent_executor';
import type { ToolService } from '../../../service/tool/tool_service';
import type { Slot } from '../../../utils/slot';
import type { LiveRuns, RunsFilter } from '../runs/live_runs';
import type { RunDetails } from '../runs/run_details';
import type { RaiseLimitRequest } from '../schemas/data_schemas';
import type { OpsAccepting } from '../schemas/view_schemas';
import { readAccepting } from '../shared/accepting';
import { listActors } from '../shared/list_actors';
import { type OpsView, viewOf } from '../shared/ops_view';

/** Runs that one request cancels at most. */
const MAX_CANCELLED = 200;

export interface SwitchRequest {
  isOn: boolean;
  reason?: string;
}

export interface OpsActionsDeps {
  clock: Clock;
  auditLog: AuditLog;
  keyRing: KeyRing;
  rules: LimitRules;
  switches: Switches;
  executor: AgentExecutor;
  toolService: ToolService;
  sockets: Slot<OpenSockets>;
  runDetails: RunDetails;
  liveRuns: LiveRuns;
  /** Called when an operator lets runs begin again. */
  acceptHooks: readonly (() => void)[];
  defaultLocale: Locale;
  onError: LogError;
}

export class OpsActions {
  constructor(private readonly deps: OpsActionsDeps) {}

  /** Resolves with the run once it is terminal. Rejects `not_found`. */
  async cancelRun(view: OpsView, actor: Actor, runId: string, reason?: string): Promise<RunRecord> {
    const run = await this.deps.runDetails.findRun(view, runId);
    return this.deps.executor.cancel(run.tenantId, run.id, { ...actor, reason });
  }

  /** Cancels the live runs that pass the filter, at most 200, and resolves with their ids. Does not wait for their ends. */
  async cancelRuns(view: OpsView, actor: Actor, filter: RunsFilter, reason?: string): Promise<string[]> {
    const { liveRuns, onError } = this.deps;
    const { live } = await liveRuns.listRuns(view, filter, { limit: 1 });
    const chosen = live.slice(0, MAX_CANCELLED).map(({ runId }) => runId);
    for (const runId of chosen) {
      this.cancelRun(view, actor, runId, reason).catch(thrown => onError('a run could not be cancelled', thrown, { runId }));
    }
    return chosen;
  }

  /** Pauses or accepts new runs: of all tenants or of the named one for an operator, else of the caller's tenant. Rejects `forbidden`. */
  async setAccepting(principal: Principal, { isOn, reason, tenant }: SwitchRequest & { tenant?: string }): Promise<OpsAccepting> {
    const { switches, auditLog, acceptHooks } = this.deps;
    const tenantId = visibleTenant(principal, tenant) ?? EVERY_TENANT;
    const entry = { tenantId, name: Switches.accepting, isOn, ...withReason(reason), changedBy: principal.keyName };
    await switches.change(entry, tx =>
      auditLog.record(
        { ...byActor(principal), action: isOn ? 'runs.accept' : 'runs.refuse', target: tenantId, details: withReason(reason) },
        tx,
      ),
    );
    // Starts the waiting jobs at once.
    if (isOn) for (const tell of acceptHooks) tell();
    return readAccepting(switches, viewOf(principal));
  }

  /** Adds to a limit of today, for a key or a tenant that has it. Rejects `not_found`. */
  async raiseLimit(
    principal: Principal,
    { tenant, scope, name, limit, by, reason }: RaiseLimitRequest,
  ): Promise<{ max: number; raised: number }> {
    const { switches, rules, clock, auditLog, keyRing } = this.deps;
    const found = rules
      .scopesOfAll(listActors(keyRing, { tenantId: tenant }))
      .find(row => row.scope === scope && row.tenantId === tenant && (row.keyName ?? row.tenantId) === name);
    const max = found?.limits[limit];
    if (!found || max === undefined) throw noLimit();
    const now = clock.now();
    const today = Switches.raise({ ...found, limit, day: new Date(now).toISOString().slice(0, 10) });
    const entry = { tenantId: tenant, name: `${today}${by}:${now}`, isOn: false, ...withReason(reason), changedBy: principal.keyName };
    await switches.change(entry, async tx => {
      for (const old of switches.listOldRaises()) await tx.switches.delete(old.tenantId, old.name);
      const details = { tenant, limit, by, ...withReason(reason) };
      await auditLog.record({ ...byActor(principal), action: 'limit.raise', target: `${scope}:${name}`, details }, tx);
    });
    return { max, raised: switches.raiseOf(found, limit) };
  }

  /** Ends a connection of this gateway. Rejects `not_found`. */
  async disconnect(view: OpsView, principal: Principal, id: string): Promise<void> {
    const { auditLog, sockets } = this.deps;
    const row = sockets.current.list().find(connection => connection.id === id && [undefined, connection.tenantId].includes(view.tenantId));
    if (!row) throw noConnection();
    // The end of a socket has no transaction: its row comes first.
    const details = { tenant: row.tenantId, of: row.keyName };
    await auditLog.record({ ...byActor(principal), action: 'socket.disconnect', target: id, details });
    sockets.current.disconnect(id);
  }

  /** Rejects `not_found` for a tool that this tenant does not have. */
  async setTool(principal: Principal, name: string, { isOn, reason }: SwitchRequest): Promise<void> {
    const { toolService, switches, defaultLocale } = this.deps;
    if (!toolService.listTools(principal.tenantId, defaultLocale).some(row => row.name === name)) {
      throw new AppError('not_found', { param: '/name', message: 'There is no such tool.', messageZh: '没有这个工具。' });
    }
    const tenantId = visibleTenant(principal) ?? EVERY_TENANT;
    const entry = { tenantId, name: Switches.tool(name), isOn, ...withReason(reason), changedBy: principal.keyName };
    await switches.change(entry, tx =>
      this.deps.auditLog.record(
        {
          ...byActor(principal),
          action: isOn ? 'tool.enable' : 'tool.disable',
          target: name,
          details: { tenant: tenantId, ...withReason(reason) },
        },
        tx,
      ),
    );
  }
}

const noLimit = (): AppError =>
  new AppError('not_found', {
    param: '/name',
    message: 'This key or tenant has no such limit of a day in limits.yaml.',
    messageZh: '该密钥或租户在 limits.yaml 中没有这项每日上限。',
  });

const noConnection = (): AppError =>
  new AppError('not_found', {
    param: '/id',
    message: 'This gateway has no such connection. Ask the gateway that `node` names.',
    messageZh: '本网关没有这个连接。请向 node 所指的网关发送请求。',
  });

const withReason = (reason: string | undefined): { reason?: string } => (reason === undefined ? {} : { reason });
