/** Replay: runs are recorded, and run again from their recordings. */
import type { CoreServices, Feature } from '../../feature';
import { allOf } from '../../service/all_pages';
import { ReplayRecorder } from './record/run_recorder';
import { KeyedReplays } from './replay/keyed_replays';
import { PaidCalls } from './replay/paid_calls';
import { ReplayService } from './replay/replay_service';
import { OpsReplayController, OpsRunReplayController, ReplayController } from './routes';
import type { ReplayServices } from './services';
import { replayStore } from './store/replay_store';
import { SuitesController } from './suite/suite_routes';
import { SuiteService } from './suite/suite_service';
import { toWireCase } from './suite/wire_suite';

export const replay: Feature = {
  name: 'replay',
  routes: [ReplayController, OpsRunReplayController, OpsReplayController, SuitesController],
  store: replayStore,
  install(core) {
    const { store, clock, ids, identity, redactor, logger } = core.ports;
    const recorder = new ReplayRecorder({ store, clock, redactor, onError: logger.error });
    const { llm, modelCatalog: models, dayBudgets, runLimiter, activeReplays, agentExecutor, switches } = core;
    const paidCalls = new PaidCalls({ store, clock, llm, models, dayBudgets, runLimiter, activeReplays, agentExecutor, switches });
    const replayService = createReplayService(core, paidCalls);
    const suiteService = new SuiteService({ store, clock, ids, paidCalls, replays: replayService, auditLog: core.auditLog });
    const keyedReplays = new KeyedReplays({ store, clock, ids, identity, onError: logger.error });
    return {
      services: { replayService, suiteService, keyedReplays } satisfies ReplayServices,
      recorder,
      onRun: { closed: run => recorder.forgetRun(run) },
      async cleanUp() {
        await recorder.deleteUnusedParts();
        await keyedReplays.deleteOld();
      },
      endWork: () => keyedReplays.stop(),
      async *exportData(read, tenantId) {
        for await (const record of allOf(page => read.suites.list(tenantId, page)))
          yield {
            type: 'feature',
            name: 'suite_case',
            data: { ...toWireCase(record), recorded: record.recorded },
            sessionId: record.sessionId,
            by: record.keyName,
            erase: tx => tx.suites.deleteCase(tenantId, record.suite, record.id),
          };
      },
    };
  },
};

function createReplayService(core: CoreServices, paidCalls: PaidCalls): ReplayService {
  const { settings, ports, agentDirectory: agents, visibleAgents, modelCatalog: models, directCallService, sessionAccess } = core;
  const { store, clock, ids, workspaces, web, weather } = ports;
  const { maxToolIterations, maxContextMessages } = settings;
  return new ReplayService({
    store,
    clock,
    ids,
    workspaces,
    web,
    weather,
    sessionAccess,
    paidCalls,
    agents,
    visibleAgents,
    models,
    limits: { maxToolIterations, maxContextMessages },
    async runTool({ name, args, locale }, { tenantId, keyName, signal }) {
      const call = { tenantId, keyName, toolName: name, parameters: args, locale };
      const { status, message } = await directCallService.callTool(call, signal);
      return { ok: status === 'success', content: message };
    },
  });
}
