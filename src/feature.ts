/** What a feature is: a part that hangs on the core, and can be read, tested and left out alone. */
import { createConfiguration, type FunctionalConfiguration } from '@midwayjs/core';

/** A class with `@Controller`. */
export type Controller = new () => object;

/** The folder `src/feature/<name>/` exports one of these from its feature.ts. Only features.ts imports it. */
export interface Feature {
  /** The name of the folder. */
  name: string;
  /** Its doors: each method that serves a route has its row, the decorator `@Serve`. */
  routes?: readonly Controller[];
}

/** What the `imports` of a Midway application take. */
type Component = { Configuration: FunctionalConfiguration } & Record<string, object>;

/** Makes the Midway component of a feature: the framework binds its controllers under its name. */
export function componentOf({ name, routes = [] }: Feature): Component {
  return { Configuration: createConfiguration({ namespace: name }), ...Object.fromEntries(routes.map(route => [route.name, route])) };
}
