/** Finds injected properties that nothing provides. Without this check the framework reports them with the first request that needs them. */
import type { IMidwayContainer, IObjectDefinition } from '@midwayjs/core';

const FOLDERS_WITHOUT_CLASSES = ['adapter', 'cli', 'port', 'runtime', 'service', 'tools', 'utils', 'wire'];

/** Other folders -> the files in which the framework finds classes. */
const FILES_WITH_CLASSES = { controller: '*_controller', filter: '*_filter', gateway: 'server' };

/**
 * Patterns of files that the framework does not search for classes. It loads every file that it searches: entry modules of worker threads, the
 * command line, and what doors load with the first request.
 */
export const FILES_WITHOUT_CLASSES = [
  ...FOLDERS_WITHOUT_CLASSES.map(folder => `**/${folder}/**`),
  ...Object.entries(FILES_WITH_CLASSES).map(([folder, files]) => `**/${folder}/**/!(${files}).js`),
];

/** Objects that exist only while a request or a socket message is handled. */
const REQUEST_OBJECTS = new Set(['ctx', 'logger', 'req', 'res', 'socket']);

/** Throws one sentence for the first property of a class below `directory` that cannot be injected. */
export function assertInjectable({ registry }: IMidwayContainer, directory: string): void {
  // The registry is a map of definitions and objects, which its interface does not say.
  const definitions = [...(registry as unknown as Map<string, Partial<IObjectDefinition>>).values()];
  for (const { properties, path, srcPath } of definitions) {
    if (!properties || !srcPath?.startsWith(directory)) continue;
    for (const [property, { name }] of properties) {
      if (registry.hasDefinition(name) || registry.hasObject(name) || REQUEST_OBJECTS.has(name)) continue;
      throw new Error(refusalOf(String(path.name), String(property)));
    }
  }
}

const refusalOf = (className: string, property: string): string =>
  `${className} injects "${property}", which nothing provides: build the service in createServices of src/services.ts and return it under this name, as "A service" in docs/architecture.md describes. Classes with @Provide are not found in ${FOLDERS_WITHOUT_CLASSES.map(folder => `src/${folder}`).join(', ')}.`;
