/**
 * Each feature can be left out: without its folder and its line in src/features.ts the gateway starts, and everything else works. Features are left
 * out in groups, such that for any two features one group has the one without the other: a feature that needs another fails there. The shipped
 * profile of the default agent names the toolset of jobs, so it changes with that feature.
 */
import { cp, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtinTools } from '../../src/builtin_tools';
import { routesOf } from '../../src/controller/route';
import { FEATURES } from '../../src/features';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { compileInto, readSource } from '../support/built_source';
import { startAndFail, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

/** Seven starts are enough for 35 features, eight for 70. */
const GROUPS = 7;
const DEFAULT_TOOLSETS = 'toolsets: [base, planning, interaction, jobs]';

let copy: BuildCopy;
let configDir: string;
beforeAll(async () => {
  copy = await copyBuild();
  configDir = join(copy.root, 'own_config');
  await cp(join(copy.root, 'config'), configDir, { recursive: true, dereference: true });
});
afterAll(() => copy.remove());

/** Runs `work` while the copy of the build has neither the folders nor the lines of these features. */
async function leaveOut(names: readonly string[], work: () => Promise<void>): Promise<void> {
  const folders = names.map(name => join(copy.root, 'dist/src/feature', name));
  for (const folder of folders) await rename(folder, `${folder}.left_out`);
  try {
    const source = await readSource('features.ts');
    await compileInto(copy, 'features.ts', names.reduce(withoutFeature, source));
    await work();
  } finally {
    for (const folder of folders) await rename(`${folder}.left_out`, folder);
  }
}

/** Takes the import and the entry of a feature out of the source of the list. */
function withoutFeature(source: string, name: string): string {
  const [line = '', variable = ''] = new RegExp(`^import \\{ (\\w+) \\} from '\\./feature/${name}/feature';$`, 'm').exec(source) ?? [];
  return source.replace(line, '').replace(new RegExp(`\\b${variable}\\b,?`), '');
}

/** Writes the toolsets and tools of the default agent. */
async function writeDefaultAgent(lines: string): Promise<void> {
  const written = await readFile(join(copy.root, 'config/agents/default.yaml'), 'utf8');
  await writeFile(join(configDir, 'agents/default.yaml'), written.replace(DEFAULT_TOOLSETS, lines));
}

/** The groups that each feature is in, as bits. No feature's bits hold all bits of another, because all have equally many. */
const bits = [...Array(2 ** GROUPS).keys()].filter(bit => bit.toString(2).replaceAll('0', '').length === Math.floor(GROUPS / 2));
const groups = [...Array(GROUPS).keys()].map(group => FEATURES.filter((_, i) => (bits[i] ?? 0) & (1 << group)));

it('has groups for every feature, and for any two a group with the one and without the other', () => {
  expect(FEATURES.length).toBeLessThanOrEqual(bits.length);
  for (const a of FEATURES)
    for (const b of FEATURES) expect(a === b || groups.some(group => group.includes(a) && !group.includes(b))).toBe(true);
});

it.each(groups.map(group => ({ group, names: group.map(({ name }) => name) })))(
  'without the features $names the gateway works, and has neither their routes nor their tools',
  async ({ group, names }) => {
    await writeDefaultAgent(names.includes('jobs') ? 'toolsets: [base, planning, interaction]' : DEFAULT_TOOLSETS);
    await leaveOut(names, async () => {
      const gateway = await startGateway({ root: copy.root, env: { NETA_CONFIG_DIR: configDir } });
      try {
        const rest = createRestClient(gateway.url);
        expect((await rest.run({ input: 'hello' })).body.status).toBe('completed');
        const document = (await rest.request<{ paths: object }>('GET', '//openapi.json')).body;
        for (const { method, path } of group.flatMap(({ routes = [] }) => routes.flatMap(routesOf))) {
          expect(await rest.request(method.toUpperCase(), `/${path.replaceAll(/:\w+/g, 'default')}`)).toMatchObject({ status: 404 });
          expect(Object.keys(document.paths)).not.toContain(path.replaceAll(/:(\w+)/g, '{$1}'));
        }
        const { body: tools } = await rest.request<{ data: { name: string; origin: string }[] }>('GET', '/tools');
        const own = group.flatMap(feature => feature.tools ?? []);
        const others = builtinTools().filter(tool => !own.includes(tool));
        expect(tools.data.filter(({ origin }) => origin === 'builtin').map(tool => tool.name)).toEqual(others.map(tool => tool.name));
        expect(await gateway.terminate()).toBe(0);
        expect(gateway.output()).not.toMatch(/error|warn/i);
      } finally {
        await gateway.stop();
      }
    });
  },
);

it.each([
  ['jobs', DEFAULT_TOOLSETS, /agents\/default\.yaml: \/toolsets\/3: there is no toolset "jobs"; choose from base, .* \(line \d+\)/],
  ['memory', 'tools: [memory_save]', /agents\/default\.yaml: \/tools\/0: there is no tool "memory_save" \(line \d+\)/],
])('without the feature %s, a profile with %s stops the start with a sentence', async (name, lines, sentence) => {
  await writeDefaultAgent(lines);
  await leaveOut([name], async () => {
    const { code, output } = await startAndFail({ PORT: '0', NETA_CONFIG_DIR: configDir }, copy.root);
    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
  });
});
