/** Builds the services of crews. */
import type { ChildRuns } from './child_runs';
import { CrewDelegate, type CrewDelegateDeps } from './crew_delegate';
import { CrewOrchestrator, type CrewOrchestratorDeps } from './crew_orchestrator';

/** The crew starts runs from inside a run, so it gets functions of services that are built after it. */
export function createCrew(
  deps: Omit<CrewDelegateDeps, 'children'> & Pick<CrewOrchestratorDeps, 'onError'>,
  children: ChildRuns,
): CrewOrchestrator {
  return new CrewOrchestrator({ ...deps, children, delegate: new CrewDelegate({ ...deps, children }) });
}
