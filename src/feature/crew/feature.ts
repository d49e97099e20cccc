/** Crews: a master hands tasks to its members, which work as runs of their own. The tools of agents are in tools/. */
import type { Feature } from '../../feature';
import { type ChildRuns, CrewDelegate } from './crew_delegate';
import { CrewOrchestrator } from './crew_orchestrator';
import { delegateParallelTool, delegateTaskTool } from './tools/delegate';
import { escalateTool } from './tools/escalate';

export const crew: Feature = {
  name: 'crew',
  tools: [delegateTaskTool, delegateParallelTool, escalateTool],
  install({
    ports: { store, clock, ids, bus, logger },
    agentDirectory: agents,
    admission,
    capacity,
    remoteRuns,
    supervisor,
    agentExecutor,
  }) {
    const children: ChildRuns = {
      launch: claimed => supervisor.launch(claimed),
      waitForEnd: (tenantId, runId) => agentExecutor.waitForEnd(tenantId, runId),
      cancelSession: (tenantId, sessionId) => agentExecutor.cancelSession(tenantId, sessionId),
    };
    const delegate = new CrewDelegate({ store, clock, ids, bus, agents, admission, capacity, remoteRuns, children });
    return { crew: new CrewOrchestrator({ store, clock, delegate, children, onError: logger.error }) };
  },
};
