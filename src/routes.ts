/** Every route of the gateway: the controllers of the core, and those of the features. */
import { AgentsController } from './controller/agents_controller';
import { ApprovalsController } from './controller/approvals_controller';
import { ChangesController } from './controller/changes_controller';
import { ClarificationsController } from './controller/clarifications_controller';
import { DocsController } from './controller/docs_controller';
import { EmbedController } from './controller/embed_controller';
import { FilesController } from './controller/files_controller';
import { HealthController } from './controller/health_controller';
import { KeysController } from './controller/keys_controller';
import { LoginController } from './controller/login_controller';
import { ModelsController } from './controller/models_controller';
import { ParticipantsController } from './controller/participants_controller';
import { ProjectsController } from './controller/projects_controller';
import { RecordsController } from './controller/records_controller';
import { type RouteRow, routesOf } from './controller/route';
import { RunPreviewController } from './controller/run_preview_controller';
import { RunsController } from './controller/runs_controller';
import { SessionsController } from './controller/sessions_controller';
import { ToolsController } from './controller/tools_controller';
import { FEATURES } from './features';

const CONTROLLERS = [
  RunsController,
  RunPreviewController,
  ClarificationsController,
  ApprovalsController,
  SessionsController,
  ParticipantsController,
  ProjectsController,
  AgentsController,
  ModelsController,
  ToolsController,
  ChangesController,
  FilesController,
  KeysController,
  LoginController,
  RecordsController,
  HealthController,
  DocsController,
  EmbedController,
];

/** The row of each route, in the order of the document. */
export const ROUTES: readonly RouteRow[] = [...CONTROLLERS, ...FEATURES.flatMap(({ routes = [] }) => routes)].flatMap(routesOf);

/** Everything below these paths belongs to a door. */
export const DOOR_PATHS: readonly string[] = ['/api', ...FEATURES.flatMap(({ doorPath }) => doorPath ?? [])];
