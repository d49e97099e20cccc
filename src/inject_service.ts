/** Typed injection: doors name a service of core_services.ts, and the compiler checks the name and the type. */
import { Inject } from '@midwayjs/core';
import type { CoreServices } from './core_services';

/**
 * Midway's `@Inject` for a property that has the name of a service. A name that `createCoreServices` does not return, or a property of another
 * type, does not compile. A controller of a feature names the services of its own feature: `@InjectService<JobServices>()`.
 * @example
 * import { Controller, Get } from '@midwayjs/core';
 * import { InjectService } from './inject_service';
 * import type { SessionService } from './service/session/session_service';
 *
 * @Controller('/titles')
 * export class TitlesController {
 *   @InjectService()
 *   sessionService!: SessionService;
 *
 *   @Get('/')
 *   async titles(): Promise<string[]> {
 *     const { data } = await this.sessionService.listSessions('default', { limit: 10 });
 *     return data.map(session => session.title);
 *   }
 * }
 */
export const InjectService =
  <All = CoreServices>() =>
  <Name extends keyof All & string>(target: Pick<All, Name>, name: Name): void =>
    Inject()(target, name);
