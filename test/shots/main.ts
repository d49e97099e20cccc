/** Photographs the states of the pages: `npm run shots`. One gateway has the mock model, another one none, a third one several people. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { startBrowserServer } from '../support/browser';
import { type Gateway, startGateway } from '../support/gateway';
import { type MockModel, startMockModel } from '../support/mock_model';
import { CHAT_STATES, EMBED_STATES, scriptModel } from './chat_states';
import { DIALOG_STATES } from './dialog_states';
import { type Shot, writeIndex } from './index_page';
import { ALL_LOOKS, type Look, looksOf, nameOfLook, viewportOf } from './looks';
import { DOCS_STATES, OPS_STATES } from './ops_states';
import { PEOPLE_STATES } from './people_states';
import { type PeopleStudio, startPeopleStudio } from './people_studio';
import type { ShotState } from './state';
import { FILES } from './texts';
import { VOICE_STATES } from './voice_states';

const STATES = [...CHAT_STATES, ...DIALOG_STATES, ...VOICE_STATES, ...EMBED_STATES, ...OPS_STATES, ...DOCS_STATES, ...PEOPLE_STATES];
const WAIT_MS = 20_000;
/** Charts, fonts and highlighted code come after the state itself, and nothing says when the last of them is there. */
const SETTLE_MS = 700;

interface Studio {
  readonly browser: Browser;
  readonly model: MockModel;
  readonly gateway: Gateway;
  readonly demo: Gateway;
  readonly people: PeopleStudio;
  readonly directory: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string', default: '' }, out: { type: 'string', default: 'shots' }, all: { type: 'boolean', default: false } },
  });
  const directory = resolve(values.out);
  await mkdir(directory, { recursive: true });
  const stops: (() => Promise<unknown>)[] = [];
  try {
    await photograph({ ...(await openStudio(stops)), directory }, { only: new RegExp(values.only), isEveryLook: values.all });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Starts everything, and adds to `stops` what ends it. */
async function openStudio(stops: (() => Promise<unknown>)[]): Promise<Omit<Studio, 'directory'>> {
  const model = await startMockModel();
  stops.push(() => model.stop());
  scriptModel(model);
  const config = await makeConfig();
  stops.push(() => rm(config, { recursive: true, force: true }));
  const models = { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', NETA_MODEL: 'mock-1', NETA_TRANSCRIPTION_MODEL: 'whisper-1' };
  const env = { ...models, NETA_CONFIG_DIR: config };
  const gateway = await startGateway({ env, files: FILES });
  stops.push(() => gateway.stop());
  const demo = await startGateway();
  stops.push(() => demo.stop());
  const people = await startPeopleStudio(model, stops);
  const server = await startBrowserServer();
  stops.push(() => server.close());
  return { model, gateway, demo, people, browser: await chromium.connect(server.wsEndpoint()) };
}

/** The config directory of this repository, with web tools, and rules that ask before these and before `rm`. */
async function makeConfig(): Promise<string> {
  const config = await mkdtemp(join(tmpdir(), 'neta-shots-'));
  for (const folder of ['agents', 'skills']) await cp(join(__dirname, '../../config', folder), join(config, folder), { recursive: true });
  const profile = join(config, 'agents/default.yaml');
  await writeFile(profile, (await readFile(profile, 'utf8')).replace('interaction, jobs]', 'interaction, jobs, web]'));
  const rules = [
    "{ tool: bash, pattern: '^rm\\b', decision: ask }",
    '{ tool: fetch_page, decision: ask }',
    '{ tool: write_file, decision: ask }',
  ];
  await writeFile(join(config, 'approvals.yaml'), ['rules:', ...rules.map(rule => `  - ${rule}`), ''].join('\n'));
  return config;
}

async function photograph(studio: Studio, { only, isEveryLook }: { only: RegExp; isEveryLook: boolean }): Promise<void> {
  const shots: Shot[] = [];
  for (const [index, state] of STATES.entries()) {
    if (!only.test(state.name)) continue;
    for (const look of isEveryLook ? ALL_LOOKS : looksOf(index)) shots.push(await takeShot(studio, state, look));
  }
  await writeIndex(studio.directory, shots);
  console.log(`${shots.length} pictures: ${join(studio.directory, 'index.html')}`);
}

function gatewayOf({ gateway, demo, people }: Studio, state: ShotState): Gateway {
  if (state.gateway === 'people') return people.gateway;
  return state.gateway === 'demo' ? demo : gateway;
}

/** Reports a state that was not reached and photographs the page as it is then. */
async function takeShot(studio: Studio, state: ShotState, look: Look): Promise<Shot> {
  const { browser, model, directory, people } = studio;
  const { url } = gatewayOf(studio, state);
  const { theme, locale } = look;
  const context = await browser.newContext({ viewport: viewportOf(look), colorScheme: theme, locale, reducedMotion: 'reduce' });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const shot = { state: state.name, look: nameOfLook(look), file: `${state.name}-${nameOfLook(look)}.png` };
  const report = (problem: unknown) => {
    console.error(`${shot.file}: ${problem}`);
    process.exitCode = 1;
  };
  page.on('pageerror', report);
  page.on('console', entry => entry.type() === 'error' && !state.hasErrors && report(entry.text()));
  try {
    if (state.as) await people.enter(context, state.as);
    await page.goto(url + state.path);
    await page.waitForSelector(state.ready, { state: 'attached' });
    await state.reach?.({ page, context, model, look, url, people });
  } catch (error) {
    report(error);
  }
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(directory, shot.file) });
  await context.close();
  model.resume();
  return shot;
}

void main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
