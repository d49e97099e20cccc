/** Rules learned from decisions, through the doors of a running gateway: people allow a call several times, and an admin makes a rule of it. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { withKey } from '../support/key_bench';
import { acceptInvitation, type MadeLink } from '../support/people_client';
import type { ErrorBody, PageBody, RestClient } from '../support/rest_client';
import { until } from '../support/until';

interface Proposal {
  id: string;
  rule: { tool: string; pattern?: string; decision: string };
  state: string;
  basedOn: number;
  decidedBy?: string;
  simulation: { allowed: number; asked: number; denied: number; examples: { args?: { command: string }; before: string; after: string }[] };
  diff: string;
}
type Caller = Pick<RestClient, 'request'>;

const ALL = 'chat+tools+approve+ops:read+admin';
const SECRET = 'secret-0123456789-abcdef';
/** The part of another tenant must stay as it is. */
const RULES = `# Everything that runs a program is asked about here.
rules:
  - { tool: bash, pattern: '^echo secret', decision: deny }
  - { tool: bash, decision: ask }
tenants:
  rival:
    rules:
      - { tool: bash, decision: deny } # nobody there runs commands
`;

let bench: AgentBench;
let config: string;
let admin: Caller;
let rival: Caller;
let member: Caller;

beforeAll(async () => {
  config = await mkdtemp(join(tmpdir(), 'neta-learned-'));
  await cp(join(__dirname, '../../config/agents'), join(config, 'agents'), { recursive: true });
  await writeFile(join(config, 'approvals.yaml'), RULES);
  const keys = `ada:${SECRET}-a:acme:${ALL},rita:${SECRET}-r:rival:${ALL}`;
  bench = await startBench({ env: { NETA_CONFIG_DIR: config, NETA_API_KEYS: keys } });
  const { url } = bench.gateway;
  admin = withKey(url, `${SECRET}-a`);
  rival = withKey(url, `${SECRET}-r`);
  const { body: link } = await admin.request<MadeLink>('POST', '/invitations', { role: 'member', email: 'mia@example.com' });
  member = await acceptInvitation(url, link, { name: 'Mia', password: 'a long password of mia' });
  bench.model.onTurn(
    'run: ',
    ({ userText }) => ({ toolCalls: [{ name: 'bash', arguments: { command: userText.replace('run: ', '') } }] }),
    ({ toolResults }) => `Told: ${toolResults.at(-1)}`,
  );
});

afterAll(async () => {
  await bench?.stop();
  await rm(config, { recursive: true, force: true });
});

/** Starts a run with the command and decides its approval. Resolves with the final text. */
async function runCommand(who: Caller, command: string, decision: 'allow_once' | 'deny'): Promise<void> {
  const runId = await startRun(who, command);
  const asked = await until(async () => (await openApprovals(who)).find(row => row.runId === runId));
  await who.request('POST', `/approvals/${asked?.requestId}`, { decision });
  await until(async () => (await statusOf(who, runId)) === 'completed');
}

async function startRun(who: Caller, command: string): Promise<string> {
  const body = { input: `run: ${command}`, clarify: 'wait' };
  return (await who.request<{ runId: string }>('POST', '/runs', body, { prefer: 'respond-async' })).body.runId;
}

const openApprovals = async (who: Caller) =>
  (await who.request<PageBody<{ requestId: string; runId: string }>>('GET', '/approvals?status=pending')).body.data;
const statusOf = async (who: Caller, runId: string) => (await who.request<{ status: string }>('GET', `/runs/${runId}`)).body.status;
const proposals = async (who = admin) => (await who.request<PageBody<Proposal>>('GET', '/rules/proposals')).body.data;
const decide = (id: string, decision: string, who = admin) =>
  who.request<Proposal & ErrorBody>('POST', `/rules/proposals/${id}`, { decision });
const fileText = () => readFile(join(config, 'approvals.yaml'), 'utf8');
const auditOf = async (action: string) =>
  (await admin.request<PageBody<{ target: string; details: object }>>('GET', `/audit?action=${action}`)).body.data;
/** Resolves with true when the command runs without a question, with false when somebody is asked. */
async function runsUnasked(command: string): Promise<boolean> {
  const runId = await startRun(admin, command);
  const status = await until(
    () => statusOf(admin, runId),
    value => value === 'waiting' || value === 'completed',
  );
  if (status === 'waiting') await admin.request('POST', `/runs/${runId}/cancel`);
  return status === 'completed';
}

it('[R] proposes a rule for a call that people allowed five times, writes it after a yes, and takes it back', async () => {
  await Promise.all([1, 2, 3, 4].map(() => runCommand(admin, 'echo tests pass', 'allow_once')));
  expect(await proposals()).toEqual([]);
  await runCommand(admin, 'echo tests pass', 'allow_once');
  const [proposal, ...others] = await proposals();
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({
    rule: { tool: 'bash', decision: 'allow' },
    state: 'open',
    basedOn: 5,
    simulation: { allowed: 5, asked: 0, denied: 0 },
  });
  expect(proposal?.simulation.examples[0]).toMatchObject({ args: { command: 'echo tests pass' }, before: 'ask', after: 'allow' });
  expect(proposal?.diff).toContain('+  acme:');
  expect(proposal?.diff).not.toContain('rival');
  const { id } = proposal as Proposal;

  const accepted = await decide(id, 'accept');
  expect([accepted.status, accepted.body]).toMatchObject([200, { state: 'accepted', decidedBy: 'ada' }]);
  const text = await fileText();
  expect(text).toContain('# Everything that runs a program is asked about here.');
  expect(text).toContain('# nobody there runs commands');
  expect(text).toMatch(/acme:\n\s+rules:\n\s+- tool: bash\n\s+pattern: .*tests pass/);
  await until(() => runsUnasked('echo tests pass'));
  expect(await runsUnasked('echo tests pass and more')).toBe(false);

  expect((await decide(id, 'undo')).body.state).toBe('undone');
  await until(async () => !(await runsUnasked('echo tests pass')));
  expect(await fileText()).not.toContain('acme');
  const acts = [await auditOf('rule.accept'), await auditOf('rule.undo')].map(([row]) => [row?.target, row?.details]);
  expect(acts).toMatchObject([
    [id, { tool: 'bash', basedOn: 5 }],
    [id, { tool: 'bash' }],
  ]);
  expect((await proposals()).map(row => [row.id, row.state])).toEqual([[id, 'undone']]);
});

it('[R] says plainly that an accepted rule was changed in the file, and leaves the file alone', async () => {
  const [proposal] = await proposals();
  const { id } = proposal as Proposal;
  await decide(id, 'accept');
  const changed = (await fileText()).replace('tests pass', 'all tests pass');
  await writeFile(join(config, 'approvals.yaml'), changed);
  const { status, body } = await decide(id, 'undo');
  expect([status, body.error.code]).toEqual([409, 'config_changed']);
  expect(await fileText()).toBe(changed);
  await writeFile(join(config, 'approvals.yaml'), RULES);
});

it('[R] answers 409 to the list, as the API document says, when the rules of the tenant use YAML aliases', async () => {
  const own = '\n      - { tool: write_file, decision: ask }\n';
  const aliased = `rules:\n  - { tool: bash, decision: ask }\ntenants:\n  rival:\n    rules: &own${own}  acme:\n    rules: *own\n`;
  await writeFile(join(config, 'approvals.yaml'), aliased);
  const { status, body } = await admin.request<ErrorBody>('GET', '/rules/proposals');
  expect([status, body.error.code]).toEqual([409, 'config_changed']);
  const { body: document } = await admin.request<{ paths: Record<string, Record<string, { responses: object }>> }>('GET', '//openapi.json');
  expect(document.paths['/api/v1/rules/proposals']?.['get']?.responses).toHaveProperty('409');
  await writeFile(join(config, 'approvals.yaml'), RULES);
});

it('[R] proposes nothing that was denied once or can destroy, and a dismissed proposal stays dismissed', async () => {
  const rounds = [0, 1, 2, 3, 4].flatMap(() => [
    runCommand(admin, 'echo mixed', 'allow_once'),
    runCommand(admin, 'rm -rf left-over', 'allow_once'),
    runCommand(admin, 'echo dull', 'allow_once'),
  ]);
  await Promise.all([...rounds, runCommand(admin, 'echo mixed', 'deny')]);
  const found = (await proposals()).filter(({ state }) => state === 'open');
  // The rule of the first test, whose row says accepted and whose rule is gone from the file, is open again.
  const fresh = found.filter(({ rule }) => !rule.pattern?.includes('tests pass'));
  expect(fresh.map(({ rule }) => rule.pattern)).toEqual([expect.stringContaining('echo dull')]);
  const { id } = fresh[0] as Proposal;
  expect((await decide(id, 'dismiss')).body.state).toBe('dismissed');
  await runCommand(admin, 'echo dull', 'allow_once');
  expect((await proposals()).find(row => row.id === id)?.state).toBe('dismissed');
  expect((await decide(id, 'undo')).status).toBe(400);
});

it('[R] shows an admin no words of a private chat, and nothing of another tenant', async () => {
  await Promise.all([1, 2, 3, 4, 5].map(() => runCommand(member, 'echo dear diary', 'allow_once')));
  const [shown, other] = [await proposals(), await proposals(rival)];
  expect(JSON.stringify(shown)).not.toContain('diary');
  expect(other).toEqual([]);
  const { id } = shown[0] as Proposal;
  expect((await decide(id, 'dismiss', rival)).status).toBe(404);
  expect((await member.request('GET', '/rules/proposals')).status).toBe(403);
});
