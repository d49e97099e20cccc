/** Builds the services of the core, over the ports, each from what it names. Features are built on top: see feature.ts. */
import { type CoreInput, createBase } from './core_base';
import { createDoorParts } from './door_parts';
import { createRunParts } from './run_parts';
import { createRunServices } from './run_services';
import { createRunLogLines } from './service/run/run_log_lines';

/** The services by the names under which doors inject them and features take them. */
export type CoreServices = ReturnType<typeof createCoreServices>;

export function createCoreServices(input: CoreInput) {
  const base = createBase(input);
  base.ports.observer.listen(createRunLogLines(base.ports.logger.event));
  const parts = createRunParts(base, input);
  const runs = createRunServices({ ...base, ...parts, ...input });
  const doors = createDoorParts(base, { ...parts, ...runs, version: input.version });
  return { ...base, ...parts, ...runs, ...doors };
}
