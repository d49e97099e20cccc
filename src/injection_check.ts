/** Finds injected properties that nothing provides. Without this check the framework reports them with the first request that needs them. */
import type { IMidwayContainer, IObjectDefinition } from '@midwayjs/core';
import { FEATURES } from './features';

const FOLDERS_WITHOUT_CLASSES = ['adapter', 'cli', 'feature', 'port', 'runtime', 'service', 'tools', 'utils', 'wire'];

/** Folders with classes -> pattern of the files in which the framework finds them. */
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

/** Notes each class that the framework binds from now on, and later checks the properties of the gateway's own classes. */
export class InjectionCheck {
  private readonly bound: IObjectDefinition[] = [];

  /** `directory`: the directory of the gateway's classes. Classes of features are bound by their components, which name no file. */
  constructor(
    private readonly container: IMidwayContainer,
    directory: string,
  ) {
    const features = new Set(FEATURES.map(({ name }) => name));
    container.onBeforeBind((_class, { definition }) => {
      if (features.has(definition.namespace ?? '') || definition.srcPath?.startsWith(directory)) this.bound.push(definition);
    });
  }

  /** Checks every class of the gateway. Throws one sentence for the first property that cannot be injected. */
  assertInjectable(): void {
    for (const { properties, path } of this.bound) {
      for (const [property, { name }] of properties) {
        if (this.container.hasDefinition(name) || this.container.hasObject(name) || REQUEST_OBJECTS.has(name)) continue;
        throw new Error(refusalOf(String(path.name), String(property)));
      }
    }
  }
}

const refusalOf = (className: string, property: string): string =>
  `${className} injects "${property}", which nothing provides: build the service in createCoreServices of src/core_services.ts and return it under this name, as "A service" in docs/architecture.md describes. Classes with @Provide are not found in ${FOLDERS_WITHOUT_CLASSES.map(folder => `src/${folder}`).join(', ')}.`;
