/** Builds the services of operators. */
import type { LogTail } from '../../port/logger';
import type { Observer } from '../../port/observer';
import { type Actor, DEFAULT_TENANT, LOCAL_KEY_NAME } from '../../port/principal';
import type { RunRecord } from '../../port/store/runs';
import type { Slot } from '../../utils/slot';
import type { KeyRing } from '../auth/key_ring';
import type { OpenSockets } from '../door/open_sockets';
import type { RunHooks } from '../run_log/run_hooks';
import type { RunService } from '../run_log/run_service';
import type { OpsDeps, OpsView } from './ops_deps';
import { OpsService } from './ops_service';
import { RunActivity } from './run_activity';

export interface OpsServicesDeps
  extends Omit<
    OpsDeps,
    | 'runActivity'
    | 'connections'
    | 'disconnect'
    | 'logTail'
    | 'watchersOf'
    | 'listActors'
    | 'onAccept'
    | 'runLimits'
    | 'maxToolIterations'
    | 'listSettings'
  > {
  logger: { tail: LogTail };
  settings: Pick<OpsDeps, 'listSettings'> & { maxToolIterations: number; limits: OpsDeps['runLimits'] };
  observer: Observer;
  runHooks: RunHooks;
  openSockets: Slot<OpenSockets>;
  runService: RunService;
  keyRing: KeyRing;
  acceptHooks: readonly (() => void)[];
}

/** Builds the services of operators. */
export function createOpsServices(deps: OpsServicesDeps) {
  const { settings, openSockets, models, agents } = deps;
  const modelOf = (run: RunRecord) => models.shownName(run.model ?? agents.agentFor(run).profile.model);
  const runActivity = new RunActivity({ ...deps, modelOf });
  deps.observer.listen(runActivity.listenToModels());
  deps.runHooks.add({
    numbered: (run, events, at) => runActivity.noteEvents(run, events, at),
    closed: run => runActivity.removeRun(run.id),
  });
  const opsService = new OpsService({
    ...deps,
    runActivity,
    maxToolIterations: settings.maxToolIterations,
    listSettings: settings.listSettings,
    runLimits: { concurrentRuns: settings.limits.concurrentRuns, queuedRuns: settings.limits.queuedRuns },
    logTail: deps.logger.tail,
    connections: () => openSockets.current.list(),
    disconnect: ({ tenantId }, id) => {
      const found = openSockets.current.list().find(row => row.id === id && (tenantId === undefined || row.tenantId === tenantId));
      if (found) openSockets.current.disconnect(found.id);
      return found !== undefined;
    },
    watchersOf: sessionId => deps.runService.countReaders(sessionId),
    listActors: view => actorsOf(deps.keyRing, view),
    onAccept: () => {
      for (const tell of deps.acceptHooks) tell();
    },
  });
  deps.switches.onReading(async () => {
    const { store, identity, clock } = deps;
    if ((await store.read.ops.figuresWantedUntil(identity.self)) > clock.now()) await opsService.writeFigures();
  });
  return { opsService };
}

function actorsOf(keys: KeyRing, { tenantId }: OpsView): Actor[] {
  const known = keys.listKeys().map(({ name, tenantId: tenant }) => ({ tenantId: tenant, keyName: name }));
  const all = [...known, ...(keys.local ? [{ tenantId: DEFAULT_TENANT, keyName: LOCAL_KEY_NAME }] : [])];
  return tenantId === undefined ? all : all.filter(actor => actor.tenantId === tenantId);
}
