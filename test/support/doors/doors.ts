/** All doors of the gateway. */
import { A2A_DOOR } from './a2a';
import { ACP_DOOR } from './acp';
import { AGUI_DOOR } from './agui';
import { ANTHROPIC_DOOR } from './anthropic';
import { CLI_DOOR } from './cli';
import type { Door } from './door';
import { DURABLE_STREAMS_DOOR } from './durable_streams';
import { HOOKS_DOOR } from './hooks';
import { MCP_DOOR } from './mcp';
import { MCP_STATELESS_DOOR } from './mcp_stateless';
import { MCP_TASKS_DOOR } from './mcp_tasks';
import { NETA_CLIENT_DOOR } from './neta_client';
import { OPENAI_CHAT_DOOR } from './openai_chat';
import { OPENAI_RESPONSES_DOOR } from './openai_responses';
import { REST_DOOR } from './rest';
import { SOCKET_DOOR } from './socket';

export const DOORS: readonly Door[] = [
  SOCKET_DOOR,
  REST_DOOR,
  NETA_CLIENT_DOOR,
  CLI_DOOR,
  OPENAI_CHAT_DOOR,
  OPENAI_RESPONSES_DOOR,
  ANTHROPIC_DOOR,
  MCP_DOOR,
  MCP_STATELESS_DOOR,
  MCP_TASKS_DOOR,
  AGUI_DOOR,
  A2A_DOOR,
  ACP_DOOR,
  DURABLE_STREAMS_DOOR,
  HOOKS_DOOR,
];
