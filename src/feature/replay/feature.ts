/** Replay: runs are recorded, and run again from their recordings. */
import type { CoreServices, Feature } from '../../feature';
import { ReplayRecorder } from './record/run_recorder';
import { ReplayService } from './replay/replay_service';
import { OpsReplayController, ReplayController } from './routes';
import { replayStore } from './store/replay_store';

/** The services of this feature, by the names under which its controllers inject them. */
export interface ReplayServices {
  replayService: ReplayService;
}

export const replay: Feature = {
  name: 'replay',
  routes: [ReplayController, OpsReplayController],
  store: replayStore,
  install(core) {
    const { store, clock, redactor, logger } = core.ports;
    const recorder = new ReplayRecorder({ store, clock, redactor, onError: logger.error });
    return {
      services: { replayService: createReplayService(core) } satisfies ReplayServices,
      recorder,
      onRun: { closed: run => recorder.forgetRun(run) },
      cleanUp: () => recorder.deleteUnusedParts(),
    };
  },
};

function createReplayService(core: CoreServices): ReplayService {
  const { settings, ports, llm, agentDirectory: agents, modelCatalog: models, dayBudgets, directCallService } = core;
  const { store, clock, ids, workspaces, web, weather } = ports;
  const { maxToolIterations, maxContextMessages } = settings;
  return new ReplayService({
    store,
    clock,
    ids,
    workspaces,
    web,
    weather,
    llm,
    agents,
    models,
    limits: { maxToolIterations, maxContextMessages },
    assertBudgetLeft: caller => dayBudgets.assertLeft(store.read, caller),
    async runTool({ name, args, locale }, { tenantId, keyName, signal }) {
      const { status, message } = await directCallService.callTool({ tenantId, keyName, toolName: name, parameters: args, locale }, signal);
      return { ok: status === 'success', content: message };
    },
  });
}
