/** Approvals that ask for colleagues: two people who did not ask for the call themselves, over each door. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { DoorCaller } from '../support/doors/door';
import { DOORS } from '../support/doors/doors';
import { OwnerView } from '../support/doors/owner_view';
import { withKey } from '../support/key_bench';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook_receiver';

interface Row {
  requestId: string;
  runId: string;
  args: { command: string };
  needed?: number;
  approvals?: { by: string; at: string }[];
  notBy?: string[];
  to?: string;
  escalatedTo?: string;
  expiresAt: string;
  createdAt: string;
}

const NAMES = ['driver', 'dora', 'erik', 'fay', 'chat'] as const;
const ALL = 'chat+tools+approve+ops:read+ops:write';
const secretOf = (name: string): string => `${name}-secret-0123456789`;
const RULES = `rules:
  - { tool: bash, pattern: 'passed', decision: ask, to: dora, deadlineMs: 600000, escalate: { afterMs: 1000, to: erik } }
  - { tool: bash, pattern: 'late', decision: ask, approvers: 2, notBy: requester, deadlineMs: 1500 }
  - { tool: write_file, decision: ask, deadlineMs: 600000 }
  - { tool: bash, pattern: 'plain', decision: ask, deadlineMs: 600000 }
  - { tool: bash, pattern: 'crowd', decision: ask, approvers: 9 }
  - { tool: bash, pattern: 'tally', decision: ask, approvers: 2, notBy: requester, deadlineMs: 600000 }
`;

let bench: AgentBench;
let receiver: WebhookReceiver;
let config: string;
let callers: Record<(typeof NAMES)[number], DoorCaller>;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-four-eyes-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), RULES);
  const scopesOf = (name: string) => (name === 'chat' ? 'chat' : ALL);
  const keys = NAMES.map(name => `${name}:${secretOf(name)}:acme:${scopesOf(name)}`);
  receiver = await startWebhookReceiver();
  const env = { NETA_WEBHOOK_ALLOW: new URL(receiver.url).host };
  bench = await startBench({ env: { ...env, NETA_CONFIG_DIR: config, NETA_API_KEYS: keys.join(',') } });
  const { url } = bench.gateway;
  const callerOf = (name: string): DoorCaller => ({ url, secret: secretOf(name), rest: withKey(url, secretOf(name)) });
  callers = { driver: callerOf('driver'), dora: callerOf('dora'), erik: callerOf('erik'), fay: callerOf('fay'), chat: callerOf('chat') };
});

afterAll(async () => {
  await bench?.stop();
  await receiver?.stop();
  await rm(config, { recursive: true, force: true });
});

const told = ({ toolResults }: { toolResults: string[] }): string => `Told: ${toolResults.at(-1)}`;

/** Waits for the open approval whose command has the word. */
async function openApproval(word: string): Promise<Row> {
  const list = () => callers.dora.rest.request<PageBody<Row>>('GET', '/approvals?status=pending');
  const found = await until(async () => (await list()).body.data.find(({ args }) => args.command.includes(word)));
  if (!found) throw new Error(`no approval has ${word}`);
  return found;
}

const decide = <T = Record<string, unknown>>(who: keyof typeof callers, requestId: string, decision: string, path = '/approvals') =>
  callers[who].rest.request<T>('POST', `${path}/${requestId}`, path === '/approvals' ? { decision } : { decision: { decision } });

/** Starts a run of the driver, who does not wait for it. */
async function startRun(input: string): Promise<string> {
  const { body } = await callers.driver.rest.request<{ runId: string }>('POST', '/runs', { input }, { prefer: 'respond-async' });
  return body.runId;
}

const command = (text: string) => ({ toolCalls: [{ name: 'bash', arguments: { command: text } }] });

describe.each(DOORS.map(door => [door.name, door] as const))('%s', (_name, door) => {
  it('[R] ASVS 4.3.3: asks two colleagues, refuses the yes of the driver, and counts each colleague once', async () => {
    const message = `two must agree [${door.name}]`;
    const word = Buffer.from(message).toString('hex');
    bench.model.onTurn(message, command(`echo ${word} >> tally.txt`), told);
    const client = await door.connect(callers.driver);
    // The client of REST in these tests does not expect a refusal; the driver's own requests below do.
    const turn = client.send(message, door.name === 'REST' ? {} : { onApproval: () => 'allow' });
    turn.catch(() => {});
    const asked = await openApproval(word);
    const { requestId } = asked;
    expect(asked).toMatchObject({ needed: 2, approvals: [], notBy: ['driver'] });
    for (const path of ['/approvals', '/ops/people']) {
      const own = await decide<ErrorBody>('driver', requestId, 'allow_once', path);
      expect([own.status, own.body.error.code]).toEqual([403, 'approval_by_requester']);
    }
    const first = await decide('dora', requestId, 'allow_once');
    expect(first.body).toEqual({ requestId, status: 'pending', decision: 'allow_once', needed: 2, approvals: [given('dora')] });
    const again = await decide<ErrorBody>('dora', requestId, 'allow_once');
    expect([again.status, again.body.error]).toMatchObject([409, { code: 'approval_given', details: { missing: 1 } }]);
    const owner = new OwnerView(callers.dora.rest);
    expect([await owner.hasTallied(word), (await openApproval(word)).approvals]).toEqual([false, [given('dora')]]);
    const last = await decide('erik', requestId, 'allow_once', '/ops/people');
    expect(last.body).toMatchObject({ status: 'answered', approvals: [given('dora'), given('erik')] });
    await owner.untilText(message, 'Told: ');
    expect(await owner.hasTallied(word)).toBe(true);
    const { body } = await callers.dora.rest.request<PageBody<{ type: string; data: object }>>(
      'GET',
      `/runs/${asked.runId}/events?limit=100`,
    );
    const steps = body.data.filter(({ type }) => type.startsWith('approval_'));
    expect(steps).toMatchObject([
      { type: 'approval_request', data: { needed: 2, approvals: [], notBy: ['driver'] } },
      { type: 'approval_update', data: { requestId, needed: 2, approvals: [given('dora')] } },
      { type: 'approval_end', data: { status: 'answered', decidedBy: 'erik', approvals: [given('dora'), given('erik')] } },
    ]);
    await Promise.allSettled([turn]);
    await client.close();
  });
});

const given = (by: string) => ({ by, at: expect.stringMatching(/^\d{4}-.*Z$/) });

describe('a rule that asks for colleagues', () => {
  beforeAll(() => bench.model.onTurn('outlives a crash', command('echo outlived >> tally.txt'), told));

  const start = async (message: string, ...turns: Parameters<AgentBench['model']['onTurn']>[1][]) => {
    bench.model.onTurn(message, ...turns);
    return startRun(message);
  };
  const textOf = async (runId: string) => {
    const read = async () => (await callers.dora.rest.request<{ status: string; text: string }>('GET', `/runs/${runId}`)).body;
    return (await until(read, ({ status }) => status === 'completed')).text;
  };

  it('[R] is decided by one no, also by that of the driver', async () => {
    const runId = await start('one no decides', command('echo no1 >> tally.txt'), told);
    const { requestId } = await openApproval('no1');
    await decide('dora', requestId, 'allow_once');
    expect((await decide('driver', requestId, 'deny')).body).toEqual({ requestId, status: 'answered', decision: 'deny' });
    expect(await textOf(runId)).toContain('a person refused this call');
    const late = await decide<ErrorBody>('erik', requestId, 'allow_once');
    expect([late.status, late.body.error.code]).toEqual([409, 'clarification_closed']);
  });

  it('[R] counts a colleague who has steered the run among those whose messages caused the call', async () => {
    bench.model.onTurn('steered by dora', { ...command('echo first'), pauseAfter: 0 });
    bench.model.onTurn('write it into the tally', command('echo steered >> tally.txt'), told);
    const runId = await startRun('steered by dora');
    await bench.model.waitFor('steered by dora');
    await callers.dora.rest.request('POST', `/runs/${runId}/steer`, { text: 'write it into the tally' });
    bench.model.resume();
    bench.model.resume();
    const { requestId, notBy } = await openApproval('steered');
    expect(notBy).toEqual(['dora', 'driver']);
    const refused = await decide<ErrorBody>('dora', requestId, 'allow_once');
    expect(refused.body.error.code).toBe('approval_by_requester');
    await decide('erik', requestId, 'deny');
    await textOf(runId);
  });

  it('[R] keeps its deadline, and says why the call did not run', async () => {
    const runId = await start('nobody comes', command('echo late >> tally.txt'), told);
    const { requestId, createdAt, expiresAt } = await openApproval('late');
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(1_500);
    await decide('dora', requestId, 'allow_once');
    expect(await textOf(runId)).toContain('no answer came in time');
    const { body } = await callers.dora.rest.request<PageBody<Row>>('GET', '/approvals?status=expired');
    expect(body.data.find(row => row.requestId === requestId)?.approvals).toEqual([given('dora')]);
  });

  it('[R] makes a call of a door that cannot ask wait for its address, and passes it on once', async () => {
    const { body: hook } = await callers.dora.rest.request<{ id: string }>('POST', '/webhooks', {
      url: receiver.url,
      events: ['run.waiting'],
    });
    const runId = await start('hand it on', command('echo passed >> tally.txt'), told);
    const asked = await openApproval('passed');
    expect(asked).toMatchObject({ to: 'dora' });
    expect(asked).not.toHaveProperty('escalatedTo');
    const next = async () => JSON.parse((await receiver.next()).body).data;
    expect(await next()).toMatchObject({ runId, status: 'waiting' });
    expect(await next()).toMatchObject({ runId, status: 'waiting', requestId: asked.requestId, escalatedTo: 'erik' });
    expect(
      await until(
        () => openApproval('passed'),
        row => row.escalatedTo !== undefined,
      ),
    ).toMatchObject({ escalatedTo: 'erik' });
    await bench.gateway.restart();
    expect((await decide('erik', asked.requestId, 'allow_once')).body).toMatchObject({ status: 'answered' });
    expect(await textOf(runId)).toContain('Told: ');
    const { body } = await callers.dora.rest.request<PageBody<{ type: string }>>('GET', `/runs/${runId}/events?limit=100`);
    const update = body.data.findLast(({ type }) => type === 'approval_update');
    expect(update).toMatchObject({ data: { needed: 1, approvals: [], escalatedTo: 'erik' } });
    await callers.dora.rest.request('DELETE', `/webhooks/${hook.id}`);
  });

  it('[R] keeps the yes that was given over kill -9', async () => {
    const runId = await startRun('outlives a crash');
    const { requestId } = await openApproval('outlived');
    await decide('dora', requestId, 'allow_once');
    await bench.gateway.restart();
    expect((await openApproval('outlived')).approvals).toEqual([given('dora')]);
    expect((await decide<ErrorBody>('dora', requestId, 'allow_once')).body.error.code).toBe('approval_given');
    expect((await decide('erik', requestId, 'allow_once')).body).toMatchObject({ status: 'answered' });
    expect(await textOf(runId)).toContain('Told: ');
  });

  it('[R] covers arguments that a person puts in the place of others', async () => {
    const runId = await start('a plain call', command('echo plain'), told);
    const { requestId } = await openApproval('plain');
    const swap = { decision: 'allow_once', args: { command: 'echo swapped >> tally.txt' } };
    const swapped = await callers.driver.rest.request<ErrorBody>('POST', `/approvals/${requestId}`, swap);
    expect([swapped.status, swapped.body.error]).toMatchObject([403, { code: 'forbidden', param: '/args' }]);
    expect((await decide('driver', requestId, 'allow_once')).body).toMatchObject({ status: 'answered' });
    expect(await textOf(runId)).toContain('plain');
    expect(await new OwnerView(callers.dora.rest).hasTallied('swapped')).toBe(false);
  });

  it('[R] refuses at once a call for which the tenant has too few people', async () => {
    const runId = await start('too many needed', command('echo crowd'), told);
    expect(await textOf(runId)).toContain('needs the approval of 9 people');
  });

  it('[R] refuses changed arguments, a yes for the session counts for this call, and a key without approve decides nothing', async () => {
    const runId = await start('as it stands', command('echo stands >> tally.txt'), told);
    const { requestId } = await openApproval('stands');
    const body = { decision: 'allow_once', args: { command: 'echo other' } };
    const changed = await callers.dora.rest.request<ErrorBody>('POST', `/approvals/${requestId}`, body);
    expect([changed.status, changed.body.error.param]).toEqual([400, '/args']);
    expect((await decide<ErrorBody>('chat', requestId, 'allow_once')).status).toBe(403);
    expect((await decide('dora', requestId, 'allow_session')).body).toMatchObject({ status: 'pending', decision: 'allow_once' });
    // Two at the same moment: one is the last, the other comes too late or counts before it.
    await Promise.all([decide('erik', requestId, 'allow_once'), decide('erik', requestId, 'allow_once')]);
    expect(await textOf(runId)).toContain('Told: ');
  });
});

describe('several approvals at once', () => {
  const write = (path: string) => ({ toolCalls: [{ name: 'write_file', arguments: { path, content: path } }] });
  const bulk = (who: keyof typeof callers, body: object) =>
    callers[who].rest.request<{ data: { requestId: string; status?: string; error?: { code: string } }[] } & ErrorBody>(
      'POST',
      '/approvals/decide',
      body,
    );

  it('[R] are decided together, and a risky one is refused by its id', async () => {
    for (const word of ['one', 'two']) bench.model.onTurn(`write ${word}`, write(`${word}.txt`), told);
    bench.model.onTurn('a risky one', command('echo tally >> tally.txt'), told);
    const runs = await Promise.all(['write one', 'write two', 'a risky one'].map(startRun));
    const list = () => callers.dora.rest.request<PageBody<Row>>('GET', '/approvals?status=pending');
    const open = await until(
      async () => (await list()).body.data.filter(({ runId }) => runs.includes(runId)),
      rows => rows.length === 3,
    );
    const ids = runs.map(id => open.find(({ runId }) => runId === id)?.requestId);
    expect((await bulk('chat', { ids, decision: 'allow_once' })).status).toBe(403);
    expect((await bulk('dora', { ids: [], decision: 'allow_once' })).body.error.param).toBe('/ids');
    const { body } = await bulk('dora', { ids: [...ids, 'unknown'], decision: 'allow_once' });
    expect(body.data).toMatchObject([
      { requestId: ids[0], status: 'answered', decision: 'allow_once' },
      { requestId: ids[1], status: 'answered', decision: 'allow_once' },
      { requestId: ids[2], error: { code: 'risky_in_bulk' } },
      { requestId: 'unknown', error: { code: 'not_found' } },
    ]);
    const denied = await bulk('dora', { ids: [ids[2]], decision: 'deny', reason: 'not today' });
    expect(denied.body.data).toMatchObject([{ requestId: ids[2], status: 'answered', decision: 'deny' }]);
    await until(async () => (await list()).body.data.filter(({ runId }) => runs.includes(runId)).length === 0);
  });

  it('[R] a preview says what similar runs cost and took, once five are known', async () => {
    const preview = async (agent: string) =>
      (await callers.driver.rest.request<{ estimate?: object }>('POST', '/runs/preview', { input: 'hello', agent })).body.estimate;
    bench.model.onTurn('say hello', 'Hello.');
    for (let i = 0; i < 5; i += 1) await callers.driver.rest.request('POST', '/runs', { input: 'say hello' });
    const estimate = await until(() => preview('default'));
    expect(estimate).toMatchObject({ ms: { p50: expect.any(Number), p90: expect.any(Number) }, basedOn: expect.any(Number) });
  });
});
