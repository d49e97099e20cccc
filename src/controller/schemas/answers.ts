/** Names of the answers in the document. Answers grow by addition: clients ignore fields that they do not know. */
import type { TSchema } from '@sinclair/typebox';
import { RunEvent } from './event_schemas';
import { File, StoredFile } from './file_schemas';
import { ApiKey, MadeApiKey, Me } from './key_schemas';
import { McpServer } from './mcp_schemas';
import { Model } from './model_schemas';
import { OpsAuditCheck, OpsConfig, OpsDoctor } from './ops_config_schemas';
import {
  OpsAnswered,
  OpsConfigFile,
  OpsConfigWritten,
  OpsDisconnected,
  OpsLogs,
  OpsQuestion,
  OpsRaisedLimit,
  OpsSessions,
} from './ops_data_schemas';
import { OpsCancelled, OpsRunCancelled, OpsRunDetail, OpsRunExport, OpsRuns } from './ops_run_schemas';
import { Alive, Info, Ready, WireError } from './ops_schemas';
import { OpsAccepting, OpsConnections, OpsLimits, OpsModels, OpsOverview, OpsPeople, OpsToolSwitch, OpsTools } from './ops_view_schemas';
import { Answered, Approval, Decided, Question } from './question_schemas';
import { AuditRow, ExportedItem, Usage } from './record_schemas';
import { Run, RunAccepted, RunPreview, RunResult, RunWithResult, SteerAccepted, ToolCallStopped } from './run_schemas';
import { Agent, Message, Session } from './session_schemas';
import { Tool, ToolCallResult, ToolExecution, ToolExecutionDetail, Toolset, Undone } from './tool_schemas';

/** Name in the document -> schema. */
export const ANSWERS = {
  Error: WireError,
  RunAccepted,
  SteerAccepted,
  ToolCallStopped,
  RunResult,
  RunPreview,
  Run,
  RunWithResult,
  RunEvent,
  Question,
  Answered,
  Approval,
  Decided,
  Session,
  Message,
  Agent,
  Model,
  Undone,
  Tool,
  Toolset,
  ToolCallResult,
  ToolExecution,
  ToolExecutionDetail,
  McpServer,
  AuditRow,
  Usage,
  ExportedItem,
  File,
  StoredFile,
  Info,
  ApiKey,
  MadeApiKey,
  Me,
  Alive,
  Ready,
  OpsOverview,
  OpsAuditCheck,
  OpsLogs,
  OpsConfigFile,
  OpsConfigWritten,
  OpsRaisedLimit,
  OpsDisconnected,
  OpsSessions,
  OpsQuestion,
  OpsAnswered,
  OpsRuns,
  OpsRunDetail,
  OpsRunExport,
  OpsRunCancelled,
  OpsCancelled,
  OpsPeople,
  OpsTools,
  OpsToolSwitch,
  OpsModels,
  OpsLimits,
  OpsAccepting,
  OpsConnections,
  OpsConfig,
  OpsDoctor,
} as const satisfies Record<string, TSchema>;

export type AnswerName = keyof typeof ANSWERS;

/** An answer of a feature, with its name in the document. */
export interface NamedAnswer {
  name: string;
  schema: TSchema;
}

export const named = (name: string, schema: TSchema): NamedAnswer => ({ name, schema });

/** An answer of the core by its name, or one of a feature. */
export type AnswerShape = AnswerName | NamedAnswer;
