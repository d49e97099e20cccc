/** The route table of the REST door, for its document. A test keeps it equal to what the controllers serve. */
import { type TObject, Type } from '@sinclair/typebox';
import { DecisionRequest } from './approvals_controller';
import { AnswerRequest, ClarificationsQuery } from './clarifications_controller';
import { PAGE_QUERY } from './http_request';
import type { AnswerName } from './openapi_answers';
import { EventsQuery, RunRequest, RunsQuery, SteerRequest } from './runs_controller';
import { ForkRequest, SessionInput } from './sessions_controller';
import { ToolCallRequest, ToolExecutionsQuery } from './tools_controller';

export interface Answer {
  description: string;
  /** JSON of this shape, or a page of rows of this shape. */
  json?: AnswerName;
  page?: AnswerName;
  /** With Accept: text/event-stream: run events. */
  events?: true;
}

export interface Route {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** With {names} for what varies. */
  path: string;
  tag: keyof typeof TAGS;
  summary: string;
  description?: string;
  query?: TObject;
  headers?: TObject;
  body?: TObject;
  answers: Record<number, Answer>;
}

/** Tag -> what belongs to it, in the order of the document. */
export const TAGS = {
  runs: 'One turn of the agent. Start it, wait for it or watch it, read it again later.',
  questions: 'What an agent asks a person, the tool calls that wait for a yes, and the answers.',
  sessions: 'Conversations: one history, one plan, one run at a time.',
  agents: 'Whom a run can be given to.',
  tools: 'The tool catalog, direct calls and the log of calls.',
  ops: 'For probes, pages and operators.',
} as const;

const api = (path: string): string => `/api/v1${path}`;
const done = (json: AnswerName): Route['answers'] => ({ 200: { description: 'Done', json } });
const rows = (page: AnswerName): Route['answers'] => ({ 200: { description: 'A page of rows', page } });

const PageQuery = Type.Object(PAGE_QUERY);
const LanguageHeader = Type.Object({
  'accept-language': Type.Optional(Type.String({ description: 'language of labels and descriptions: zh or anything else' })),
});
const StartHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'the same key with the same body gives the same run; the answer then carries Idempotency-Replayed: true',
    }),
  ),
  prefer: Type.Optional(Type.Literal('respond-async', { description: 'answer 202 at once instead of waiting' })),
});
const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({ pattern: '^[0-9]{1,9}$', description: 'the same as after, as event sources send it when they reconnect' }),
  ),
});

export const ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: api('/runs'),
    tag: 'runs',
    summary: 'Start a run',
    description:
      'Waits for the result by default. Ask for text/event-stream to watch the events, or prefer respond-async to get the id at once. The run is stored before the first byte of an answer and goes on when the caller leaves.',
    headers: StartHeaders,
    body: RunRequest,
    answers: {
      200: { description: 'The run is over', json: 'RunResult', events: true },
      202: { description: 'The run is accepted; Location says where to read it', json: 'RunAccepted' },
    },
  },
  { method: 'get', path: api('/runs'), tag: 'runs', summary: 'List runs, newest first', query: RunsQuery, answers: rows('Run') },
  { method: 'get', path: api('/runs/{id}'), tag: 'runs', summary: 'Read a run and its result so far', answers: done('RunWithResult') },
  {
    method: 'get',
    path: api('/runs/{id}/events'),
    tag: 'runs',
    summary: 'Read or watch the events of a run',
    description:
      'A JSON page of what is stored, or with Accept: text/event-stream everything after the cursor and then live until run_end.',
    query: EventsQuery,
    headers: StreamHeaders,
    answers: {
      200: { description: 'A page of rows', page: 'RunEvent', events: true },
      204: { description: 'An event source whose Last-Event-ID is the last event of a run that is over may stop' },
    },
  },
  {
    method: 'post',
    path: api('/runs/{id}/cancel'),
    tag: 'runs',
    summary: 'Cancel a run',
    description: 'Answers when the run is over, whatever its status then is.',
    answers: done('RunResult'),
  },
  {
    method: 'post',
    path: api('/runs/{id}/steer'),
    tag: 'runs',
    summary: 'Send a message into a run',
    description: 'It is taken between two model calls. When the run is over before that, it starts the next run of the session.',
    body: SteerRequest,
    answers: { 202: { description: 'The message is stored; runId says which run it goes to', json: 'SteerAccepted' } },
  },
  {
    method: 'post',
    path: api('/runs/{id}/tool-calls/{toolCallId}/cancel'),
    tag: 'runs',
    summary: 'Stop one tool call',
    description: 'The run goes on with an error result for it.',
    answers: done('ToolCallStopped'),
  },
  {
    method: 'get',
    path: api('/clarifications'),
    tag: 'questions',
    summary: 'List questions, oldest first',
    query: ClarificationsQuery,
    answers: rows('Question'),
  },
  {
    method: 'post',
    path: api('/clarifications/{requestId}'),
    tag: 'questions',
    summary: 'Answer a question',
    description: 'The first answer wins; later ones get 409 clarification_closed with the winning answer.',
    body: AnswerRequest,
    answers: done('Answered'),
  },
  {
    method: 'get',
    path: api('/approvals'),
    tag: 'questions',
    summary: 'List tool calls that need a yes, oldest first',
    description: 'At most 20 rows a page, whatever the limit: each holds whole arguments.',
    query: ClarificationsQuery,
    answers: rows('Approval'),
  },
  {
    method: 'post',
    path: api('/approvals/{requestId}'),
    tag: 'questions',
    summary: 'Allow or deny a tool call',
    description:
      'The first decision wins; later ones get 409 clarification_closed with it. It counts for exactly the arguments that were asked about, or for those given with it.',
    body: DecisionRequest,
    answers: done('Decided'),
  },
  {
    method: 'get',
    path: api('/sessions'),
    tag: 'sessions',
    summary: 'List sessions, most recently used first',
    query: PageQuery,
    answers: rows('Session'),
  },
  {
    method: 'post',
    path: api('/sessions'),
    tag: 'sessions',
    summary: 'Open a session',
    body: SessionInput,
    answers: { 201: { description: 'The session exists; Location says where', json: 'Session' } },
  },
  { method: 'get', path: api('/sessions/{id}'), tag: 'sessions', summary: 'Read a session', answers: done('Session') },
  {
    method: 'patch',
    path: api('/sessions/{id}'),
    tag: 'sessions',
    summary: 'Change a session',
    description: 'Fields that are left out stay as they are.',
    body: SessionInput,
    answers: done('Session'),
  },
  {
    method: 'delete',
    path: api('/sessions/{id}'),
    tag: 'sessions',
    summary: 'Delete a session',
    description:
      'Cancels what runs in it, then removes it with its runs, messages, events, questions, plan and the long results kept in .neta/results. Other files in the workspace stay.',
    answers: { 204: { description: 'It is gone' } },
  },
  {
    method: 'get',
    path: api('/sessions/{id}/messages'),
    tag: 'sessions',
    summary: 'Read the messages, oldest first',
    query: PageQuery,
    answers: rows('Message'),
  },
  {
    method: 'post',
    path: api('/sessions/{id}/fork'),
    tag: 'sessions',
    summary: 'Fork a session',
    description: 'A new session with the same history and plan; the two go on apart. A run that is still under way is not copied.',
    body: ForkRequest,
    answers: { 201: { description: 'The new session', json: 'Session' } },
  },
  { method: 'get', path: api('/agents'), tag: 'agents', summary: 'List the agents', headers: LanguageHeader, answers: rows('Agent') },
  { method: 'get', path: api('/agents/{name}'), tag: 'agents', summary: 'Read an agent', headers: LanguageHeader, answers: done('Agent') },
  { method: 'get', path: api('/tools'), tag: 'tools', summary: 'List the tools', headers: LanguageHeader, answers: rows('Tool') },
  { method: 'get', path: api('/toolsets'), tag: 'tools', summary: 'List the toolsets', answers: rows('Toolset') },
  {
    method: 'post',
    path: api('/tools/call'),
    tag: 'tools',
    summary: 'Call one tool',
    description:
      'Outside any run, in the same workspace and sandbox. A tool that fails is a result with status "error", not an HTTP error.',
    headers: LanguageHeader,
    body: ToolCallRequest,
    answers: done('ToolCallResult'),
  },
  {
    method: 'get',
    path: api('/tool-executions'),
    tag: 'tools',
    summary: 'Read the log of tool calls, newest first',
    query: ToolExecutionsQuery,
    answers: rows('ToolExecution'),
  },
  {
    method: 'post',
    path: api('/tool-executions/{id}/undo'),
    tag: 'tools',
    summary: 'Take back a change of a file',
    description:
      'Restores the bytes from before a call whose details say undoable, also of a file that it deleted; a file that the call made is removed. 409 undo_conflict when it was taken back already or the file was changed since.',
    answers: done('Undone'),
  },
  { method: 'get', path: api('/info'), tag: 'ops', summary: 'Version, model and sandbox of this gateway', answers: done('Info') },
  { method: 'get', path: '/healthz', tag: 'ops', summary: 'Whether the process lives', answers: done('Alive') },
  {
    method: 'get',
    path: '/readyz',
    tag: 'ops',
    summary: 'Whether runs are taken',
    description: '503 while the gateway stops or its store cannot be written.',
    answers: done('Ready'),
  },
  { method: 'get', path: '/openapi.json', tag: 'ops', summary: 'This document', answers: { 200: { description: 'OpenAPI 3.1' } } },
  {
    method: 'get',
    path: '/docs',
    tag: 'ops',
    summary: 'The page that shows this document',
    answers: { 302: { description: 'To the page' } },
  },
];
