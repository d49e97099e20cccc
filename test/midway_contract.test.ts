/**
 * What the gateway relies on in the installed Midway beyond its documentation: src/feature.ts, src/injection_check.ts and
 * src/middleware/routers_by_prefix.ts. Run it first after an update of the framework.
 */
import {
  Configuration,
  Controller,
  createConfiguration,
  destroyGlobalApplicationContext,
  Get,
  type ILifeCycle,
  initializeGlobalApplicationContext,
  MidwayContainer,
} from '@midwayjs/core';
import * as koa from '@midwayjs/koa';

const { version }: { version: string } = require('@midwayjs/core/package.json');
const steps: string[] = [];

@Controller('/one')
class OneController {
  @Get('/')
  read() {
    return 'one';
  }
}

const one = createConfiguration({ namespace: 'one' });
one.onReady(() => void steps.push('one starts'));
one.onStop(() => void steps.push('one stops'));
const component = { Configuration: one, OneController };

@Configuration({ imports: [koa, component], importConfigs: [{ default: { keys: 'none' } }] })
class Application implements ILifeCycle {
  async onReady() {
    steps.push('the application starts');
  }
  async onStop() {
    steps.push('the application stops');
  }
}

it(`Midway ${version} runs a component around its application, tells what it binds, and names routers by prefix`, async () => {
  // The framework logs each router that it loads.
  jest.spyOn(console, 'debug').mockImplementation(() => {});
  const container = new MidwayContainer();
  const bound: unknown[] = [];
  container.onBeforeBind((_class, { definition }) => bound.push([definition.path, definition.namespace]));
  await initializeGlobalApplicationContext({
    appDir: __dirname,
    baseDir: __dirname,
    applicationContext: container,
    moduleDetector: false,
    imports: [Application],
    globalConfig: { midwayLogger: { default: { transports: { console: false, file: false, error: false, json: false } } } },
  });
  const names = [...container.get(koa.Framework).getMiddleware().getNames()];
  await destroyGlobalApplicationContext(container);
  expect(names).toContain('midwayController(/one)');
  expect(bound).toContainEqual([OneController, 'one']);
  expect(steps).toEqual(['one starts', 'the application starts', 'the application stops', 'one stops']);
});
