/** The recipe "A service" of docs/architecture.md, followed to the letter in a copy of the build; then the ways to get it wrong. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { compileInto, edited, readSource } from '../support/built_source';
import { startAndFail, startGateway } from '../support/gateway';
import { createRestClient } from '../support/rest_client';

const ROOT = join(__dirname, '../..');
const RETURNED = '    doorActivity: new DoorActivity({ clock, observer }),\n';

/** Code blocks of the recipe, in order. */
async function readRecipe(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = text.split(/^### /m).find(part => part.startsWith('A service\n')) ?? '';
  return [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

const pathOf = (code: string): string => /^\/\/ src\/(\S+)/.exec(code)?.[1] ?? '';

describe('a service made after docs/architecture.md', () => {
  let copy: BuildCopy;
  let service: string;
  let lines: string;
  let controller: string;

  beforeAll(async () => {
    [service = '', lines = '', controller = ''] = await readRecipe();
  });
  beforeEach(async () => {
    copy = await copyBuild();
    await compileInto(copy, pathOf(controller), controller);
  });
  afterEach(() => copy.remove());

  /** Starts the copy, which must refuse, and returns its one line. */
  async function refusal(): Promise<string> {
    const home = await mkdtemp(join(tmpdir(), 'neta-service-'));
    const env = { PORT: '0', NETA_DATA_DIR: join(home, 'data'), NETA_WORKSPACE: join(home, 'workspace') };
    const { code, output } = await startAndFail(env, copy.root);
    await rm(home, { recursive: true, force: true });
    expect({ code, lines: output.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    return output;
  }

  it('is built once and injected by its name', async () => {
    const [importLine = '', returned = ''] = lines.split('\n');
    await compileInto(copy, pathOf(service), service);
    const services = edited(`${importLine}\n${await readSource('core_services.ts')}`, RETURNED, `${RETURNED}${returned}\n`);
    await compileInto(copy, 'core_services.ts', services);
    const gateway = await startGateway({ root: copy.root });
    const rest = createRestClient(gateway.url);
    for (const title of ['older', 'newer']) await rest.request('POST', '/sessions', { title });
    const { body } = await rest.request<{ data: string[] }>('GET', '/titles');
    await gateway.stop();
    expect(body.data).toHaveLength(2);
    expect(body.data).toEqual(expect.arrayContaining(['older', 'newer']));
  });

  it('stops the start with a sentence when core_services.ts does not build it', async () => {
    await compileInto(copy, pathOf(service), service);
    expect(await refusal()).toMatch(
      /^neta-gateway cannot start: TitlesController injects "latestTitles", which nothing provides: .*createCoreServices of src\/core_services\.ts/,
    );
  });

  it('stops the start with a sentence when it is a @Provide class in src/service, injected by its class', async () => {
    await compileInto(
      copy,
      pathOf(service),
      `import { Provide } from '@midwayjs/core';\n${edited(service, 'export class', '@Provide()\nexport class')}`,
    );
    const byClass = controller.replace('import type { LatestTitles }', 'import { LatestTitles }').replaceAll('InjectService', 'Inject');
    await compileInto(copy, pathOf(controller), byClass.replace("'../inject_service'", "'@midwayjs/core'"));
    expect(await refusal()).toMatch(/TitlesController injects "latestTitles", .*Classes with @Provide are not found in .*src\/service/);
  });
});
