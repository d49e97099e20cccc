/** Crews: a master hands tasks to its members, which work as runs of their own. Its tools are in tools/builtin/crew.ts. */
import type { Feature } from '../../feature';
import { CrewDelegate } from './crew_delegate';
import { CrewOrchestrator } from './crew_orchestrator';

export const crew: Feature = {
  name: 'crew',
  install({ ports: { store, clock, ids, bus, logger } }) {
    return {
      createCrew({ children, ...runs }) {
        const delegate = new CrewDelegate({ ...runs, children, store, clock, ids, bus });
        return new CrewOrchestrator({ store, clock, delegate, children, onError: logger.error });
      },
    };
  },
};
