/** The services that the routes of operators use. */
import type { ConfigFileEditor } from '../config/config_files';
import type { LiveRuns } from '../runs/live_runs';
import type { RunDetails } from '../runs/run_details';
import type { OpsConfig } from '../schemas/config_schemas';
import type { OpsView } from '../shared/ops_view';
import type { AuditVerifier } from '../views/audit_check';
import type { Doctor } from '../views/doctor';
import type { HistoryReader } from '../views/history';
import type { LogView } from '../views/log_view';
import type { OpsActions } from '../views/ops_actions';
import type { OpsStreams, ViewReaders } from '../views/ops_streams';
import type { SavedViewService } from '../views/saved_view_service';
import type { SessionReader } from '../views/session_list';

export interface OpsServices {
  opsViews: ViewReaders & { config: (scope: OpsView) => Promise<OpsConfig> };
  opsStreams: OpsStreams;
  opsActions: OpsActions;
  opsSessions: SessionReader;
  opsLogs: LogView;
  liveRuns: LiveRuns;
  runDetails: RunDetails;
  configFileEditor: ConfigFileEditor;
  auditVerifier: AuditVerifier;
  opsDoctor: Doctor;
  opsHistory: HistoryReader;
  savedViewService: SavedViewService;
}
