/** Chooses the adapters. The only file that imports them. */
import { join } from 'node:path';
import type { Settings } from '../config/settings';
import { createDemoLlm } from './adapter/demo/demo_llm';
import { createSystemClock } from './adapter/local/clock';
import { createLocalEventBus } from './adapter/local/event_bus';
import { createIdSource } from './adapter/local/ids';
import { createLocalShell } from './adapter/local/shell';
import { openWorkspace } from './adapter/local/workspace';
import { createOpenAiLlm } from './adapter/openai/openai_llm';
import { detectBubblewrap } from './adapter/sandbox/bubblewrap';
import { openSqliteStore } from './adapter/sqlite/sqlite_store';
import type { Clock, IdSource } from './port/clock';
import type { EventBus } from './port/event_bus';
import type { LlmPort } from './port/llm';
import type { Shell } from './port/shell';
import type { Store } from './port/store';
import type { Workspace } from './port/workspace';

export interface Ports {
  clock: Clock;
  ids: IdSource;
  store: Store;
  bus: EventBus;
  llm: LlmPort;
  workspace: Workspace;
  shell: Shell;
}

/** Opens everything the settings ask for. Rejects with one clear sentence when something cannot be opened. */
export async function createPorts(settings: Settings): Promise<Ports> {
  const clock = createSystemClock();
  const ids = createIdSource(clock);
  const workspace = await openWorkspace(settings.workspace);
  const { root } = workspace;
  const sandbox = await detectBubblewrap({ root, hidden: [settings.dataDir, settings.configDir] });
  const shell = createLocalShell({ root, environment: settings.toolEnvironment, sandbox });
  const store = await openSqliteStore({ path: join(settings.dataDir, 'neta.db') });
  const llm = settings.openai ? createOpenAiLlm({ ...settings.openai, createCallId: () => ids.next('call') }) : createDemoLlm();
  return { clock, ids, store, bus: createLocalEventBus(), llm, workspace, shell };
}
