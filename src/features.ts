/**
 * The features of the gateway, in the order in which they start; they stop in the opposite order. Without its line here, a feature is not there: the
 * gateway starts and works without it.
 */
import type { Feature } from './feature';
import { a2aDoor } from './feature/a2a_door/feature';
import { aguiDoor } from './feature/agui_door/feature';
import { anthropicDoor } from './feature/anthropic_door/feature';
import { backup } from './feature/backup/feature';
import { chatFiles } from './feature/chat_files/feature';
import { connectModel } from './feature/connect_model/feature';
import { crew } from './feature/crew/feature';
import { feedback } from './feature/feedback/feature';
import { hooks } from './feature/hooks/feature';
import { imageProxy } from './feature/image_proxy/feature';
import { jobs } from './feature/jobs/feature';
import { learnedRules } from './feature/learned_rules/feature';
import { manifests } from './feature/manifests/feature';
import { mcpClient } from './feature/mcp_client/feature';
import { mcpDoor } from './feature/mcp_door/feature';
import { memory } from './feature/memory/feature';
import { openAiDoor } from './feature/openai_door/feature';
import { ops } from './feature/ops/feature';
import { people } from './feature/people/feature';
import { promptLibrary } from './feature/prompt_library/feature';
import { push } from './feature/push/feature';
import { replay } from './feature/replay/feature';
import { search } from './feature/search/feature';
import { shares } from './feature/shares/feature';
import { skills } from './feature/skills/feature';
import { streamDoor } from './feature/stream_door/feature';
import { telemetry } from './feature/telemetry/feature';
import { titles } from './feature/titles/feature';
import { toolChoice } from './feature/tool_choice/feature';
import { transcription } from './feature/transcription/feature';
import { webhooks } from './feature/webhooks/feature';
import { workspaceSnapshots } from './feature/workspace_snapshots/feature';

export const FEATURES: readonly Feature[] = [
  aguiDoor,
  a2aDoor,
  // Before the OpenAI door: the first form that knows a path counts.
  anthropicDoor,
  chatFiles,
  connectModel,
  crew,
  manifests,
  mcpClient,
  mcpDoor,
  openAiDoor,
  streamDoor,
  memory,
  skills,
  jobs,
  webhooks,
  hooks,
  push,
  search,
  shares,
  imageProxy,
  transcription,
  feedback,
  replay,
  people,
  promptLibrary,
  learnedRules,
  titles,
  telemetry,
  toolChoice,
  workspaceSnapshots,
  backup,
  ops,
];
