/** The services that only operators use. */
import type { Principal } from '../../port/principal';
import type { Locale } from '../../port/store/sessions';
import type { AuditCheck, AuditFault } from '../audit/check_audit_chain';
import { type ConfigChange, type ConfigFileText, readConfigFile, writeConfigFile } from './config_files';
import { type OpsConfig, readConfig } from './config_view';
import { type DoctorReport, runDoctor } from './doctor';
import { LiveRuns } from './live_runs';
import { LogView } from './log_view';
import { NodeFiguresStore } from './node_figures';
import { OpsActions } from './ops_actions';
import type { OpsDeps, OpsView } from './ops_deps';
import { OpsStreams, type StreamView } from './ops_streams';
import { OverviewReader } from './overview';
import { PeopleReader } from './people';
import { RunDetails } from './run_details';
import { SessionReader } from './session_list';
import { ToolFiguresReader } from './tool_view';
import { readConnections, readLimits, readModels } from './views';

const PAGE = { limit: 50 };

/** `head`: the newest hash. `fault`, `id`, `at`: the first broken row. */
export interface AuditVerification {
  ok: boolean;
  rows: number;
  head?: string;
  fault?: AuditFault;
  id?: string;
  at?: string;
}

const atOf = (at: number | undefined): { at?: string } => (at === undefined ? {} : { at: new Date(at).toISOString() });

export class OpsViews {
  readonly nodes: NodeFiguresStore;
  readonly liveRuns: LiveRuns;
  readonly details: RunDetails;
  readonly actions: OpsActions;
  readonly streams: OpsStreams;
  readonly sessions: SessionReader;
  readonly logs: LogView;
  private readonly overview: OverviewReader;
  private readonly people: PeopleReader;
  private readonly tools: ToolFiguresReader;
  private verifying: Promise<AuditCheck> | undefined;
  private readonly reports = new Map<Locale, Promise<DoctorReport>>();

  constructor(private readonly deps: OpsDeps) {
    this.nodes = new NodeFiguresStore(deps);
    this.liveRuns = new LiveRuns(deps, this.nodes);
    this.details = new RunDetails(deps);
    this.actions = new OpsActions(deps, this.details, this.liveRuns);
    this.overview = new OverviewReader(deps, this);
    this.people = new PeopleReader(deps, this.nodes);
    this.tools = new ToolFiguresReader(deps);
    this.sessions = new SessionReader(deps);
    this.logs = new LogView(deps);
    this.streams = new OpsStreams({ ...deps, readView: (view, scope) => this.readView(view, scope) });
  }

  readConfig(view: OpsView): Promise<OpsConfig> {
    return readConfig(this.deps, view);
  }

  readConfigFile(name: string): Promise<ConfigFileText> {
    return readConfigFile(this.deps, name);
  }

  /** Rejects as `writeConfigFile` of config_files.ts does. */
  writeConfigFile(principal: Principal, change: ConfigChange): Promise<{ name: string; hash: string }> {
    return writeConfigFile(this.deps, principal, change);
  }

  /** Checks the audit chain. Callers who ask during a check share its result. */
  async verifyAudit(): Promise<AuditVerification> {
    this.verifying ??= this.deps.auditLog.verify().finally(() => {
      this.verifying = undefined;
    });
    const check = await this.verifying;
    const { rows, head } = check;
    const found = check.ok ? {} : { fault: check.fault, id: check.id, ...atOf(check.at) };
    return { ok: check.ok, rows, head, ...found };
  }

  /** Checks the gateway. Callers who ask during a check share its report, because a check reads the whole database and calls every model server. */
  runDoctor(locale: Locale): Promise<DoctorReport> {
    const running = this.reports.get(locale) ?? runDoctor(this.deps, locale).finally(() => this.reports.delete(locale));
    this.reports.set(locale, running);
    return running;
  }

  /** Reads what the route of the view answers without a query. */
  async readView(view: StreamView, scope: OpsView): Promise<object> {
    switch (view) {
      case 'overview':
        return this.overview.read(scope);
      case 'runs':
        return this.liveRuns.listRuns(scope, {}, PAGE);
      case 'people':
        return this.people.read(scope);
      case 'tools':
        return this.tools.read(scope);
      case 'models':
        return readModels(this.deps, await this.nodes.listNodes(scope), scope);
      case 'limits':
        return readLimits(this.deps, scope);
      case 'connections':
        return readConnections(await this.nodes.listNodes(scope), scope);
    }
  }
}
