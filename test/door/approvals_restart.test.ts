/** Approvals over a crash: no decision is lost, and no call runs twice. */
import { execFile } from 'node:child_process';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APPROVED, APPROVER, type ApprovalBench, chatUntilApproval, RULES, startApprovalBench, stepsOf } from '../support/approval_bench';
import type { PageBody } from '../support/rest_client';

const run = promisify(execFile);
const TIMEOUT_MS = 1_500;

let bench: ApprovalBench;

beforeAll(async () => {
  bench = await startApprovalBench({ failpoints: true });
});

afterAll(() => bench?.stop());

describe('after a crash or a restart', () => {
  const follow = (runId: string) => bench.rest.stream('GET', `/runs/${runId}/events`);
  const decide = (requestId: string, decision: string) => bench.rest.request('POST', `/approvals/${requestId}`, { decision });

  it('an open approval keeps its deadline over kill -9, its call runs exactly once when allowed, and allow_session still counts', async () => {
    const client = await bench.connect(APPROVER);
    const granted = await chatUntilApproval(client, 'tally granted');
    await decide(granted.requestId, 'allow_session');
    await client.endOf(granted.runId);
    const { runId, sessionId, asked, requestId } = await chatUntilApproval(client, 'tally survived');
    await bench.gateway.restart();
    const { body } = await bench.rest.request<PageBody<unknown>>('GET', `/approvals?status=pending&sessionId=${sessionId}`);
    expect(body.data).toMatchObject([{ requestId, expiresAt: asked.data.expiresAt }]);
    expect((await decide(requestId, 'allow_once')).status).toBe(200);
    const events = await follow(runId);
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed' } });
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(await bench.tallyOf('survived')).toBe(1);

    const again = await bench.rest.run({ input: 'tally granted', sessionId: granted.sessionId });
    expect(again.body).toMatchObject({ status: 'completed', toolCalls: [{ ok: true }] });
    expect(await bench.tallyOf('granted')).toBe(2);
  });

  it('an approval stored just before the crash is used once', async () => {
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally crashed');
    await bench.gateway.arm('clarify_answered=crash');
    await expect(decide(requestId, 'allow_once')).rejects.toThrow();
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(await bench.tallyOf('crashed')).toBe(1);
  });

  it('an approval whose approval_end was stored, but whose call had not started, is used without asking again', async () => {
    // The writes: the model's answer with the question, the decision, and third the start of the call.
    await bench.gateway.arm('event_append=crash:3');
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
    await bench.gateway.arm('tool_effect=crash');
    const { runId, requestId } = await chatUntilApproval(await bench.connect(APPROVER), 'tally hidden');
    await decide(requestId, 'allow_once').catch(() => undefined);
    await bench.gateway.exited();
    await bench.gateway.restart();
    const events = await follow(runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(events.find(event => event.type === 'tool_call_end')?.data).toMatchObject({ ok: false, status: 'unknown' });
    expect(await bench.tallyOf('hidden')).toBe(1);
  });

  it('changed rules close an approval that they no longer require, and a denial stored just before the crash holds', async () => {
    const gate = join(bench.gateway.workspace, 'gate');
    await run('mkfifo', [gate]);
    bench.model.onTurn('pass the gate', { toolCalls: [{ name: 'bash', arguments: { command: 'tally=1; cat gate' } }] }, 'Passed.');
    const client = await bench.connect(APPROVER);
    const open = await chatUntilApproval(client, 'pass the gate');
    const denied = await chatUntilApproval(client, 'tally halted');
    await bench.gateway.arm('clarify_answered=crash');
    await expect(decide(denied.requestId, 'deny')).rejects.toThrow();
    await bench.setRules('rules: []');
    await bench.gateway.restart();

    // `openFile` resolves when the command reads.
    const door = await openFile(gate, 'w');
    expect(await bench.statusOf(open.runId)).toBe('running');
    expect((await decide(open.requestId, 'allow_once')).status).toBe(409);
    await door.close();
    const events = await follow(open.runId);
    expect(stepsOf(events)).toEqual(APPROVED);
    const { requestId } = open;
    expect(events.find(event => event.type === 'approval_end')?.data).toEqual({ requestId, status: 'cancelled', decision: 'deny' });
    expect(events.at(-1)).toMatchObject({ data: { status: 'completed' } });

    const deniedEvents = await follow(denied.runId);
    expect(deniedEvents.find(event => event.type === 'approval_end')?.data).toMatchObject({
      requestId: denied.requestId,
      decision: 'deny',
    });
    expect(deniedEvents.find(event => event.type === 'tool_call_end')?.data).toMatchObject({
      ok: false,
      result: expect.stringContaining('a person refused this call'),
    });
    expect(await bench.tallyOf('halted')).toBe(0);
    // A process reads the rules when it starts, and the tests below start their own.
    await bench.setRules(RULES);
  });

  it('a clarify call that a rule denied is not handed over as a question when the run resumes', async () => {
    await bench.setRules('rules: [{ tool: clarify, decision: deny }]');
    await bench.gateway.restart();
    await bench.gateway.arm('tool_effect=crash:2');
    const asks = { name: 'clarify', arguments: { question: 'Which bed?' } };
    const counts = { name: 'bash', arguments: { command: 'echo denied >> tally.txt' } };
    bench.model.onTurn('ask and count', { toolCalls: [asks, counts] }, request => `Results: ${request.toolResults.length}`);
    const { body } = await bench.rest.run({ input: 'ask and count' }, { prefer: 'respond-async' });
    await bench.gateway.exited();
    await bench.gateway.restart();
    const events = await follow(body.runId);
    await bench.setRules(RULES);
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
