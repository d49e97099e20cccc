/** Each feature can be left out: without its folder and its line in src/features.ts the gateway starts, and everything else works. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { builtinTools } from '../../src/builtin_tools';
import { routesOf } from '../../src/controller/route';
import { FEATURES } from '../../src/features';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { compileInto, readSource } from '../support/built_source';
import { startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

let copy: BuildCopy;
beforeAll(async () => {
  copy = await copyBuild();
});
afterAll(() => copy.remove());

/** Runs `work` while the copy of the build has neither the folder nor the line of the feature. */
async function leaveOut(name: string, work: () => Promise<void>): Promise<void> {
  const folder = join(copy.root, 'dist/src/feature', name);
  await rename(folder, `${folder}.left_out`);
  try {
    const source = await readSource('features.ts');
    const [line = '', variable = ''] = new RegExp(`^import \\{ (\\w+) \\} from '\\./feature/${name}/feature';$`, 'm').exec(source) ?? [];
    await compileInto(copy, 'features.ts', source.replace(line, '').replace(new RegExp(`\\b${variable}\\b,?`), ''));
    await work();
  } finally {
    await rename(`${folder}.left_out`, folder);
  }
}

it.each(FEATURES)(
  'without the feature $name the gateway works, and has neither its routes nor its tools',
  async ({ name, routes = [] }) => {
    await leaveOut(name, async () => {
      const gateway = await startGateway({ root: copy.root });
      try {
        const rest = createRestClient(gateway.url);
        expect((await rest.run({ input: 'hello' })).body.status).toBe('completed');
        const document = (await rest.request<{ paths: object }>('GET', '//openapi.json')).body;
        for (const { method, path } of routes.flatMap(routesOf)) {
          expect(await rest.request(method.toUpperCase(), `/${path.replaceAll(/:\w+/g, 'default')}`)).toMatchObject({ status: 404 });
          expect(Object.keys(document.paths)).not.toContain(path.replaceAll(/:(\w+)/g, '{$1}'));
        }
        const { body: tools } = await rest.request<{ data: { name: string; enabled: boolean; reason?: string }[] }>('GET', '/tools');
        for (const tool of builtinTools().filter(({ feature }) => feature === name)) {
          const reason = expect.stringContaining(`without the feature ${name}`);
          expect(tools.data).toContainEqual(expect.objectContaining({ name: tool.name, enabled: false, reason }));
        }
        expect(await gateway.terminate()).toBe(0);
        expect(gateway.output()).not.toMatch(/error|warn/i);
      } finally {
        await gateway.stop();
      }
    });
  },
);
