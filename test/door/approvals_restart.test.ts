/** Approvals over a crash: no decision is lost, and no call runs twice. */
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APPROVED, APPROVER, type ApprovalBench, chatUntilApproval, RULES, startApprovalBench, stepsOf } from '../support/approval_bench';
import type { PageBody } from '../support/rest_client';

const run = promisify(execFile);
const TIMEOUT_MS = 1_500;

let bench: ApprovalBench;

beforeAll(async () => {
  bench = await startApprovalBench();
});

afterEach(() => bench.setRules(RULES));

afterAll(() => bench?.stop());

describe('after a crash or a restart', () => {
  const follow = (runId: string) => bench.rest.stream('GET', `/runs/${runId}/events`);
  const decide = (requestId: string, decision: string) => bench.rest.request('POST', `/approvals/${requestId}`, { decision });

  it('an open approval keeps its deadline over kill -9, and the call runs exactly once when allowed', async () => {
    const client = await bench.connect(APPROVER);
    const { runId, sessionId, asked, requestId } = await chatUntilApproval(client, 'tally survived');
    await bench.gateway.restart();
    const { body } = await bench.rest.request<PageBody<unknown>>('GET', `/approvals?status=pending&sessionId=${sessionId}`);
    expect(body.data).toMatchObject([{ requestId, expiresAt: asked.data.expiresAt }]);
    expect((await decide(requestId, 'allow_once')).status).toBe(200);
    const events = await follow(runId);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed' } });
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(await bench.tallyOf('survived')).toBe(1);
  });

  it('an approval stored just before the crash is used once', async () => {
    await bench.gateway.restart({ NETA_DEBUG_POINTS: 'clarify_answered=crash:1' });
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally crashed');
    await expect(decide(requestId, 'allow_once')).rejects.toThrow();
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(await bench.tallyOf('crashed')).toBe(1);
  });

  it('an approval whose approval_end was stored, but whose call had not started, is used without asking again', async () => {
    // The writes: the model's answer with the question, the decision, and third the start of the call.
    await bench.gateway.restart({ NETA_DEBUG_POINTS: 'event_append=crash:3' });
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally told');
    await decide(requestId, 'allow_once').catch(() => undefined);
    await bench.gateway.exited();
    const crashedAt = new Date().toISOString();
    await bench.gateway.restart();
    const events = await follow(runId);
    const told = events.filter(event => event.ts < crashedAt).map(event => event.type);
    expect(told.slice(-1)).toEqual(['approval_end']);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(events.find(event => event.type === 'tool_call_end')?.data).toMatchObject({ ok: true });
    expect(await bench.tallyOf('told')).toBe(1);
  });

  it('an approved call whose outcome is unknown after the crash does not run again', async () => {
    await bench.gateway.restart({ NETA_DEBUG_POINTS: 'tool_effect=crash:1' });
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally hidden');
    await decide(requestId, 'allow_once').catch(() => undefined);
    await bench.gateway.exited();
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(events.find(event => event.type === 'tool_call_end')?.data).toMatchObject({ ok: false, status: 'unknown' });
    expect(await bench.tallyOf('hidden')).toBe(1);
  });

  it('allow_session still counts after a restart', async () => {
    const client = await bench.connect(APPROVER);
    const first = await chatUntilApproval(client, 'tally granted');
    await decide(first.requestId, 'allow_session');
    await client.endOf(first.runId);
    await bench.gateway.restart();
    const { body } = await bench.rest.run({ input: 'tally granted', sessionId: first.sessionId });
    expect(body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }] });
    expect(await bench.tallyOf('granted')).toBe(2);
  });

  it('an approval that changed rules no longer require is closed, and the run continues', async () => {
    const gate = join(bench.gateway.workspace, 'gate');
    await run('mkfifo', [gate]);
    bench.model.onTurn('pass the gate', { toolCalls: [{ name: 'bash', arguments: { command: 'tally=1; cat gate' } }] }, 'Passed.');
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'pass the gate');
    await bench.gateway.kill();
    await bench.setRules('rules: []');
    await bench.gateway.restart();
    // `open` resolves when the command reads.
    const door = await open(gate, 'w');
    expect(await bench.statusOf(runId)).toBe('running');
    expect((await decide(requestId, 'allow_once')).status).toBe(409);
    await door.close();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(events.find(event => event.type === 'approval_end')?.data).toEqual({ requestId, status: 'cancelled', decision: 'deny' });
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed' } });
  });

  it('a denial stored just before the crash holds, even if changed rules would allow the call', async () => {
    await bench.gateway.restart({ NETA_DEBUG_POINTS: 'clarify_answered=crash:1' });
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally halted');
    await expect(decide(requestId, 'deny')).rejects.toThrow();
    await bench.setRules('rules: []');
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(events.find(event => event.type === 'approval_end')?.data).toMatchObject({ requestId, decision: 'deny' });
    expect(events.find(event => event.type === 'tool_call_end')?.data).toMatchObject({
      ok: false,
      result: expect.stringContaining('a person refused this call'),
    });
    expect(await bench.tallyOf('halted')).toBe(0);
  });

  it('a clarify call that a rule denied is not handed over as a question when the run resumes', async () => {
    await bench.setRules('rules: [{ tool: clarify, decision: deny }]');
    await bench.gateway.restart({ NETA_DEBUG_POINTS: 'tool_effect=crash:2' });
    const asks = { name: 'clarify', arguments: { question: 'Which bed?' } };
    const counts = { name: 'bash', arguments: { command: 'echo denied >> tally.txt' } };
    bench.model.onTurn('ask and count', { toolCalls: [asks, counts] }, request => `Results: ${request.toolResults.length}`);
    const { body } = await bench.rest.run({ input: 'ask and count' }, { prefer: 'respond-async' });
    await bench.gateway.exited();
    await bench.gateway.restart();
    const events = await follow(body.runId);
    expect(events.flatMap(event => (event.type === 'tool_call_end' ? [event.data.status ?? event.data.name] : []))).toEqual([
      'clarify',
      'unknown',
    ]);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: 'Results: 2' } });
    expect(events.at(-1)?.data).not.toHaveProperty('clarification');
  });

  it('an approval that expires after a restart is denied, and the model is told', async () => {
    await bench.gateway.restart({ NETA_CLARIFY_TIMEOUT_DECLARED_MS: String(TIMEOUT_MS) });
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally overdue');
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(events.find(event => event.type === 'approval_end')?.data).toEqual({ requestId, status: 'expired', decision: 'deny' });
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed', text: expect.stringContaining('no answer came in time') } });
    expect((await decide(requestId, 'allow_once')).status).toBe(409);
    expect(await bench.tallyOf('overdue')).toBe(0);
  });
});
