/** Names of the answers in the document. Answers grow by addition: clients ignore fields that they do not know. */
import type { TSchema } from '@sinclair/typebox';
import { RunEvent } from './event_schemas';
import { File, StoredFile } from './file_schemas';
import { ApiKey, Login, MadeApiKey, Me } from './key_schemas';
import { McpServer } from './mcp_schemas';
import { Model } from './model_schemas';
import { Answered, Approval, BulkDecided, Decided, Question } from './question_schemas';
import { AuditRow, ExportedItem, Usage } from './record_schemas';
import { Run, RunAccepted, RunPreview, RunResult, RunWithResult, SteerAccepted, ToolCallStopped } from './run_schemas';
import { Agent, Branch, BranchPlace, Message, Participant, ParticipantPage, Project, Session } from './session_schemas';
import { Alive, Info, Ready, WireError } from './status_schemas';
import { Change, Redone, Tool, ToolCallResult, ToolExecution, ToolExecutionDetail, ToolResultPage, Toolset, Undone } from './tool_schemas';

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
  BulkDecided,
  Session,
  Branch,
  BranchPlace,
  Project,
  Participant,
  ParticipantPage,
  Message,
  Agent,
  Model,
  Change,
  Undone,
  Redone,
  Tool,
  Toolset,
  ToolCallResult,
  ToolExecution,
  ToolExecutionDetail,
  ToolResultPage,
  McpServer,
  AuditRow,
  Usage,
  ExportedItem,
  File,
  StoredFile,
  Info,
  ApiKey,
  Login,
  MadeApiKey,
  Me,
  Alive,
  Ready,
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
