/** Replay: runs are recorded, and run again from their recordings. */
import type { CoreServices, Feature } from '../../feature';
import { allOf } from '../../service/session/data_export';
import { ReplayRecorder } from './record/run_recorder';
import { ReplayService } from './replay/replay_service';
import { OpsReplayController, ReplayController } from './routes';
import type { ReplayServices } from './services';
import { replayStore } from './store/replay_store';
import { SuitesController } from './suite/suite_routes';
import { SuiteService } from './suite/suite_service';
import { toWireCase } from './suite/wire_suite';

export const replay: Feature = {
  name: 'replay',
  routes: [ReplayController, OpsReplayController, SuitesController],
  store: replayStore,
  install(core) {
    const { store, clock, ids, redactor, logger } = core.ports;
    const recorder = new ReplayRecorder({ store, clock, redactor, onError: logger.error });
    const replayService = createReplayService(core);
    const suiteService = new SuiteService({ store, clock, ids, llm: core.llm, replays: replayService });
    return {
      services: { replayService, suiteService } satisfies ReplayServices,
      recorder,
      onRun: { closed: run => recorder.forgetRun(run) },
      cleanUp: () => recorder.deleteUnusedParts(),
      async *exportData(read, tenantId) {
        for await (const record of allOf(page => read.suites.list(tenantId, page)))
          yield { type: 'feature', name: 'suite_case', data: { ...toWireCase(record), recorded: record.recorded } };
      },
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
