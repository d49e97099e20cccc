/** Each behaviour of a run through each door, with the official client of the door and one gateway. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUDGET_TOKENS, type DoorSuite, describeDoor } from '../contract/door_contract';
import { startBench } from '../support/agent_bench';
import type { DoorCaller } from '../support/doors/door';
import { doorTable } from '../support/doors/door_table';
import { DOORS } from '../support/doors/doors';
import { type Gateway, startGateway } from '../support/gateway';
import { withKey } from '../support/key_bench';
import { createRestClient } from '../support/rest_client';
import { until } from '../support/until';

const OWNER = 'owner-secret-0123456789';
const RIVAL = 'rival-secret-0123456789';
const POOR = DOORS.map((_door, i) => ({ name: `poor-${i}`, secret: `poor-secret-${i}-0123456789` }));
const LIMITS = POOR.map(({ name }) => `  ${name}: { tokensPerDay: ${BUDGET_TOKENS} }`);
const RULES = "rules:\n  - { tool: bash, pattern: 'tally', decision: ask }\n";

let suite: DoorSuite;
let config: string;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-doors-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), RULES);
  await writeFile(join(config, 'limits.yaml'), ['keys:', ...LIMITS, ''].join('\n'));
  const keys = [`owner:${OWNER}:acme:chat+tools+approve`, `rival:${RIVAL}:rival:chat+tools+approve`];
  for (const { name, secret } of POOR) keys.push(`${name}:${secret}:acme:chat`);
  const bench = await startBench({ env: { NETA_CONFIG_DIR: config, NETA_API_KEYS: keys.join(',') } });
  const { url } = bench.gateway;
  const callerOf = (secret: string) => ({ url, secret, rest: withKey(url, secret) });
  const poor = POOR.map(({ secret }) => callerOf(secret));
  suite = { bench, owner: callerOf(OWNER), rival: callerOf(RIVAL), poor: () => poor.pop() ?? callerOf('') };
});

afterAll(async () => {
  await suite?.bench.stop();
  await rm(config, { recursive: true, force: true });
});

it.each([
  ['en', 'call-the-api.md'],
  ['zh-CN', 'call-the-api.zh-CN.md'],
] as const)('[doors] the guide has this table in %s', async (language, page) => {
  expect(await readFile(join(__dirname, '../../docs/guides', page), 'utf8')).toContain(`${doorTable(DOORS, language)}\n`);
});

describe('a fresh checkout, without a setting and a file', () => {
  let gateway: Gateway;
  let anybody: DoorCaller;

  beforeAll(async () => {
    gateway = await startGateway();
    anybody = { url: gateway.url, secret: 'none', rest: createRestClient(gateway.url) };
  });
  afterAll(() => gateway?.stop());

  it.each(DOORS.map(door => [door.name, door] as const))('[doors] answers the client of %s', async (_name, door) => {
    const client = await door.connect(anybody);
    try {
      const { text, id } = await client.send('List the files');
      if (door.forms.stream !== 'elsewhere') expect(text).toContain('The workspace is empty.');
      else await until(async () => (await anybody.rest.request<{ status: string }>('GET', `/runs/${id}`)).body.status === 'completed');
    } finally {
      await client.close();
    }
  });
});

for (const door of DOORS) describeDoor(door, () => suite);
