/** The compiler checks this file (`npm run check`): each line under @ts-expect-error must fail to compile. */
import { getPropertyInject } from '@midwayjs/core';
import { InjectService } from '../src/inject_service';
import type { RunService } from '../src/service/run_log/run_service';
import type { SessionService } from '../src/service/session/session_service';

class Door {
  @InjectService()
  runService!: RunService;

  // @ts-expect-error createCoreServices returns no service of this name.
  @InjectService()
  runServise!: RunService;

  // @ts-expect-error sessionService is no RunService.
  @InjectService()
  sessionService!: RunService;
}

it('injects a service under the name and the type that createCoreServices gives it', () => {
  const door = new Door();
  const typed: { runService: RunService } = door;
  // @ts-expect-error the property has the type of its service.
  const mixed: { runService: SessionService } = typed;
  expect(getPropertyInject(mixed)).toMatchObject({ runService: { value: 'runService' } });
});
