/** Approvals: asked at both doors, decided once, bound to the exact arguments, and denied when no person can be asked. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentBench, startBench } from '../support/agent_bench';
import { type AgentConfig, createAgentConfig } from '../support/agent_config';
import { APPROVED, APPROVER, type ApprovalBench, chatUntilApproval, startApprovalBench, stepsOf } from '../support/approval_bench';
import type { ChatClient } from '../support/chat_client';
import type { ErrorBody, PageBody } from '../support/rest_client';
import { until } from '../support/until';

let bench: ApprovalBench;

beforeAll(async () => {
  bench = await startApprovalBench();
});

afterAll(() => bench?.stop());

describe('a tool call that needs approval, over Socket.IO', () => {
  it('makes the run wait, shows the exact arguments, and runs once when allowed', async () => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, 'tally once');
    expect(asked.data).toEqual({
      requestId,
      toolCallId: expect.any(String),
      tool: 'bash',
      label: 'Run command',
      args: { command: 'echo once >> tally.txt' },
      reason: expect.stringContaining('rule'),
      sessionScope: 'exact',
      risk: 'change',
      expiresAt: expect.any(String),
    });
    expect([await bench.statusOf(runId), await bench.tallyOf('once')]).toEqual(['waiting', 0]);
    const ack = await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    expect(ack).toEqual({ ok: true, status: 'answered', decision: 'allow_once' });
    expect((await client.endOf(runId)).data.status).toBe('completed');
    expect(await bench.tallyOf('once')).toBe(1);
    expect(stepsOf(client.eventsOf(runId))).toEqual(APPROVED);
    const closed = await client.waitFor('approval_end', event => event.runId === runId);
    expect(closed.data).toEqual({ requestId, status: 'answered', decision: 'allow_once' });
  });

  it('needs approval again in the next run after allow_once, and not after allow_session', async () => {
    const client = await bench.connect(APPROVER);
    const first = await chatUntilApproval(client, 'tally again');
    await client.send({ type: 'approval_response', sessionId: first.sessionId, requestId: first.requestId, decision: 'allow_once' });
    await client.endOf(first.runId);
    const second = await chatUntilApproval(client, 'tally again', { sessionId: first.sessionId });
    await client.send({ type: 'approval_response', sessionId: first.sessionId, requestId: second.requestId, decision: 'allow_session' });
    await client.endOf(second.runId);
    const third = await client.chat('tally again', { sessionId: first.sessionId });
    await client.endOf(third.runId);
    expect(stepsOf(client.eventsOf(third.runId))).toEqual(['tool_call_start', 'tool_call_end']);
    expect(await bench.tallyOf('again')).toBe(3);
    // The approval covers no other arguments and no other session.
    const others = [
      await chatUntilApproval(client, 'tally other', { sessionId: first.sessionId }),
      await chatUntilApproval(client, 'tally again'),
    ];
    expect(others.map(({ asked }) => asked.data.args)).toEqual([
      { command: 'echo other >> tally.txt' },
      { command: 'echo again >> tally.txt' },
    ]);
    for (const { runId } of others) await client.send({ type: 'cancel', runId });
  });

  it('is covered by allow_session for all calls of its rule, where the rule says `session: rule`', async () => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, 'publish both');
    expect(asked.data).toMatchObject({ reason: 'Others see this.', sessionScope: 'rule' });
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_session' });
    expect((await client.endOf(runId)).data.text).toContain('two is out');
    expect(client.eventsOf(runId).filter(event => event.type === 'approval_request')).toHaveLength(1);
  });

  it('does not run when denied, tells the model why, and is denied again without asking', async () => {
    const client = await bench.connect(APPROVER);
    bench.model.onTurn(
      'insist on it',
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo insisted >> tally.txt' } }] },
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo insisted >> tally.txt' } }] },
      request => `Told: ${request.toolResults.join(' | ')}`,
    );
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'insist on it');
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny', reason: 'not on a Friday' });
    const { data } = await client.endOf(runId);
    expect(data.text.match(/refused this call.*?not on a Friday/g)).toHaveLength(2);
    expect(client.eventsOf(runId).filter(event => event.type === 'approval_request')).toHaveLength(1);
    expect(await bench.tallyOf('insisted')).toBe(0);
  });

  it('runs with changed arguments, and the model is told what ran', async () => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'tally wrong');
    const args = { command: 'echo right >> tally.txt' };
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once', args });
    const { data } = await client.endOf(runId);
    expect(data.text).toContain('echo right');
    expect([await bench.tallyOf('wrong'), await bench.tallyOf('right')]).toEqual([0, 1]);
    const [end, start] = [
      await client.waitFor('approval_end', event => event.runId === runId),
      await client.waitFor('tool_call_start', event => event.runId === runId),
    ];
    expect([end.data.args, start.data.args]).toEqual([args, args]);
  });

  it.each([
    ['that do not fit the tool', { decision: 'allow_once', args: { command: 7 } }, 'invalid_request'],
    ['that a rule forbids', { decision: 'allow_once', args: { command: 'echo forbidden' } }, 'forbidden'],
    ['with allow_session', { decision: 'allow_session', args: { command: 'echo x' } }, 'invalid_request'],
  ])('refuses changed arguments %s, and stays open', async (what, answer, code) => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, `tally edited ${what}`);
    const ack = await client.send({ type: 'approval_response', sessionId, requestId, ...answer });
    expect(ack).toMatchObject({ ok: false, error: { code, param: '/args' } });
    expect(await bench.statusOf(runId)).toBe('waiting');
    await client.send({ type: 'cancel', runId });
  });

  it('makes only the change that was shown: a file that changed before the decision is left alone, and the model reads it again', async () => {
    const file = join(bench.gateway.workspace, 'guarded.txt');
    await writeFile(file, 'old\n');
    const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'guarded.txt', content: 'new\n' } }] };
    bench.model.onTurn('rewrite it', write, write, ({ toolResults }) => `Told: ${toolResults.join('\n')}`);
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, 'rewrite it');
    expect(asked.data.diff).toContain('-old\n+new');
    await writeFile(file, 'other\n');
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    const again = await client.waitFor('approval_request', event => event.runId === runId && event.data.requestId !== requestId);
    expect([again.data.diff, await readFile(file, 'utf8')]).toEqual([expect.stringContaining('-other\n+new'), 'other\n']);
    await client.send({ type: 'approval_response', sessionId, requestId: again.data.requestId, decision: 'allow_once' });
    const end = await client.endOf(runId);
    expect(end.data.text).toMatch(/Told: Not run: the file changed while a person was asked.*\nOverwrote guarded\.txt/);
    expect(await readFile(file, 'utf8')).toBe('new\n');
  });

  it('accepts the first of two decisions and returns the winning one to the second', async () => {
    const [left, right] = [await bench.connect(APPROVER), await bench.connect(APPROVER)];
    const { sessionId, runId, requestId } = await chatUntilApproval(left, 'tally raced');
    const answer = (client: ChatClient, reason: string) =>
      client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny', reason });
    const acks = await Promise.all([answer(left, 'left'), answer(right, 'right')]);
    expect(acks.filter(ack => ack.ok)).toHaveLength(1);
    const won = acks[0].ok ? 'left' : 'right';
    const loser = acks.find(ack => !ack.ok);
    expect(loser?.error).toMatchObject({ code: 'clarification_closed', details: { status: 'answered', decision: 'deny', reason: won } });
    expect((await left.endOf(runId)).data.text).toContain(won);
  });

  it('refuses a decision from another session and the answer to a clarification', async () => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'tally mine');
    const other = await chatUntilApproval(client, 'tally theirs');
    const stolen = await client.send({ type: 'approval_response', sessionId: other.sessionId, requestId, decision: 'allow_once' });
    const confused = await client.send({ type: 'clarify_response', sessionId, requestId, answer: 'yes' });
    expect([stolen.error?.code, confused.error?.code]).toEqual(['not_found', 'not_found']);
    expect((await bench.rest.request<ErrorBody>('POST', `/clarifications/${requestId}`, { answer: 'yes' })).status).toBe(404);
    expect(await bench.statusOf(runId)).toBe('waiting');
    for (const id of [runId, other.runId]) await client.send({ type: 'cancel', runId: id });
  });

  it('is listed as pending to later clients, with its extended deadline', async () => {
    const first = await bench.connect(APPROVER);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(first, 'tally later');
    first.close();
    const second = await bench.connect(APPROVER);
    const extended = await second.send({ type: 'clarify_extend', sessionId, requestId });
    const ack = await second.send({ type: 'subscribe', sessionId, after: { runId, seq: asked.seq } });
    expect(ack).toMatchObject({
      clarifications: [],
      approvals: [{ requestId, tool: 'bash', args: asked.data.args, status: 'pending', expiresAt: extended['expiresAt'] }],
    });
    await second.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    await second.endOf(runId);
    expect(await bench.tallyOf('later')).toBe(1);
  });

  it('is denied when the run is cancelled while it waits', async () => {
    const client = await bench.connect(APPROVER);
    const { sessionId, runId, requestId } = await chatUntilApproval(client, 'tally cancelled');
    expect(await client.send({ type: 'cancel', runId })).toEqual({ ok: true, status: 'cancelled' });
    const closed = await client.waitFor('approval_end', event => event.runId === runId);
    expect(closed.data).toEqual({ requestId, status: 'cancelled', decision: 'deny' });
    const late = await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_once' });
    expect(late.error).toMatchObject({ code: 'clarification_closed', details: { status: 'cancelled' } });
    expect(await bench.tallyOf('cancelled')).toBe(0);
  });

  it('is refused without asking where a rule denies it', async () => {
    const client = await bench.connect(APPROVER);
    bench.model.onTurn(
      'do the other',
      { toolCalls: [{ name: 'bash', arguments: { command: 'echo forbidden > tally.txt' } }] },
      request => `Told: ${request.toolResults}`,
    );
    const { runId } = await client.chat('do the other');
    expect((await client.endOf(runId)).data.text).toMatch(/Not run: A rule of this gateway forbids/);
    expect(stepsOf(client.eventsOf(runId))).toEqual(['tool_call_start', 'tool_call_end']);
  });
});

describe('when no person can be asked', () => {
  it('the call of a client without approval@1 is denied at once', async () => {
    const client = await bench.connect({ capabilities: ['clarify@1'] });
    const { runId } = await client.chat('tally undeclared');
    expect((await client.endOf(runId)).data.text).toMatch(/Not run: this needs a person's approval, and no person can be asked here/);
    expect(await bench.tallyOf('undeclared')).toBe(0);
  });

  it('a call over REST is denied, unless a client with approval@1 follows the session', async () => {
    const alone = await bench.rest.run({ input: 'tally alone' });
    expect(alone.body).toMatchObject({
      status: 'completed',
      text: expect.stringContaining('no person can be asked'),
      toolCalls: [{ ok: false }],
    });
    const client = await bench.connect(APPROVER);
    const { sessionId } = alone.body;
    await client.send({ type: 'subscribe', sessionId });
    const run = bench.rest.run({ input: 'tally followed', sessionId });
    const { data } = await client.waitFor('approval_request');
    await client.send({ type: 'approval_response', sessionId, requestId: data.requestId, decision: 'allow_once' });
    expect((await run).body.status).toBe('completed');
    expect([await bench.tallyOf('alone'), await bench.tallyOf('followed')]).toEqual([0, 1]);
    client.close();
    const gone = await bench.rest.run({ input: 'tally gone', sessionId });
    expect(gone.body.text).toContain('no person can be asked');
  });

  it('a direct tool call returns an error that says so', async () => {
    const call = (command: string) =>
      bench.rest.request<{ status: string; error: string }>('POST', '/tools/call', { toolName: 'bash', parameters: { command } });
    expect((await call('echo direct >> tally.txt')).body).toMatchObject({
      status: 'error',
      error: expect.stringContaining('no person can be asked'),
    });
    expect((await call('echo harmless')).body.status).toBe('success');
    expect(await bench.tallyOf('direct')).toBe(0);
  });
});

describe('an approval over REST', () => {
  /** Starts a run whose caller waits for answers, and returns its approval. */
  async function askedOverRest(input: string) {
    const { body } = await bench.rest.run({ input, clarify: 'wait' }, { prefer: 'respond-async' });
    const path = `/approvals?status=pending&sessionId=${body.sessionId}`;
    const row = await until(async () => {
      const page = await bench.rest.request<PageBody<{ requestId: string; runId: string }>>('GET', path);
      return page.body.data.find(({ runId }) => runId === body.runId);
    });
    if (!row) throw new Error('the run has no approval');
    return { ...body, row };
  }

  it('is listed and decided once; a second decision gets the first one', async () => {
    const { runId, sessionId, row } = await askedOverRest('tally rest');
    expect(row).toMatchObject({
      sessionId,
      tool: 'bash',
      args: { command: 'echo rest >> tally.txt' },
      status: 'pending',
      sessionScope: 'exact',
    });
    const questions = await bench.rest.request<PageBody<unknown>>('GET', `/clarifications?sessionId=${sessionId}`);
    expect(questions.body.data).toEqual([]);
    const path = `/approvals/${row.requestId}`;
    expect(await bench.rest.request('POST', path, { decision: 'maybe' })).toMatchObject({
      status: 400,
      body: { error: { param: '/decision' } },
    });
    const decided = await bench.rest.request('POST', path, { decision: 'allow_once' });
    expect(decided).toMatchObject({ status: 200, body: { requestId: row.requestId, status: 'answered', decision: 'allow_once' } });
    const again = await bench.rest.request<ErrorBody>('POST', path, { decision: 'deny' });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'clarification_closed', details: { decision: 'allow_once' } } } });
    const events = await bench.rest.stream('GET', `/runs/${runId}/events`);
    expect(stepsOf(events)).toEqual(APPROVED);
    expect(await bench.tallyOf('rest')).toBe(1);
    const all = await bench.rest.request<PageBody<unknown>>('GET', `/approvals?sessionId=${sessionId}`);
    expect(all.body.data).toMatchObject([{ status: 'answered', answer: { decision: 'allow_once' } }]);
  });

  it('is not_found when it was never asked for', async () => {
    expect((await bench.rest.request('POST', '/approvals/11111111-1111-4111-8111-111111111111', { decision: 'deny' })).status).toBe(404);
  });
});

describe('without a rule, with NETA_SANDBOX=none', () => {
  it('a destructive command needs approval, with the reason in the language of the run; other commands run', async () => {
    const open = await startApprovalBench({ env: { NETA_SANDBOX: 'none' }, rules: 'rules: []' });
    try {
      open.model.onTurn(
        '清理',
        { toolCalls: [{ name: 'bash', arguments: { command: 'mkdir build; echo made' } }] },
        { toolCalls: [{ name: 'bash', arguments: { command: 'rm -r build' } }] },
        request => request.toolResults.join(' | '),
      );
      const client = await open.connect(APPROVER);
      const { sessionId, runId, requestId, asked } = await chatUntilApproval(client, '清理', { locale: 'zh-CN' });
      expect(asked.data).toMatchObject({ args: { command: 'rm -r build' }, reason: expect.stringContaining('永久删除文件') });
      await client.send({ type: 'approval_response', sessionId, requestId, decision: 'deny' });
      expect((await client.endOf(runId)).data.text).toMatch(/made.*用户拒绝了此次调用/s);
      expect(stepsOf(client.eventsOf(runId)).filter(type => type === 'approval_request')).toHaveLength(1);
    } finally {
      await open.stop();
    }
  });
});

describe('without a rule, when no sandbox was found', () => {
  const NO_SANDBOX = { NETA_SANDBOX: 'auto', NODE_OPTIONS: `--require ${join(__dirname, '../support/no_sandbox.cjs')}` };
  let open: AgentBench;
  let config: AgentConfig;

  beforeAll(async () => {
    config = await createAgentConfig(['base', 'terminal']);
    open = await startBench({ env: { ...NO_SANDBOX, NETA_CONFIG_DIR: config.directory } });
    for (const tool of ['bash', 'terminal']) {
      const reply = { toolCalls: [{ name: tool, arguments: { command: 'echo it ran' } }] };
      open.model.onTurn(`in ${tool}`, reply, request => `Told: ${request.toolResults}`);
    }
  });

  afterAll(async () => {
    await open?.stop();
    await config?.remove();
  });

  it.each([
    ['bash', 'exact'],
    ['terminal', 'none'],
  ])('every command of %s needs approval', async (tool, sessionScope) => {
    const client = await open.connect(APPROVER);
    const { sessionId, runId, asked, requestId } = await chatUntilApproval(client, `in ${tool}`);
    expect(asked.data).toMatchObject({ tool, reason: expect.stringContaining('without a sandbox'), sessionScope });
    await client.send({ type: 'approval_response', sessionId, requestId, decision: 'allow_session' });
    expect((await client.endOf(runId)).data.text).toContain('it ran');
    const again = await client.chat(`in ${tool}`, { sessionId });
    if (sessionScope === 'none') await client.waitFor('approval_request', event => event.runId === again.runId);
    else expect((await client.endOf(again.runId)).data.text).toContain('it ran');
    await client.send({ type: 'cancel', runId: again.runId });
  });

  it.each([
    ['en', /no person can be asked here\. Commands run without a sandbox here\..*install bubblewrap.*NETA_SANDBOX=none/],
    ['zh-CN', /此处无法询问任何人。此处的命令不在沙箱中运行。.*安装 bubblewrap.*NETA_SANDBOX=none/],
  ])('a command is refused when no person can be asked, and the result says how to install a sandbox (%s)', async (locale, sentence) => {
    const { body } = await open.rest.run({ input: 'in bash', locale });
    expect(body).toMatchObject({ text: expect.stringMatching(sentence), toolCalls: [{ ok: false }] });
  });

  it('a direct call is refused', async () => {
    const { body } = await open.rest.request<{ error: string }>('POST', '/tools/call', {
      toolName: 'bash',
      parameters: { command: 'echo it ran' },
    });
    expect(body.error).toMatch(/no person can be asked.*install bubblewrap/);
  });

  it('the start output says that every command needs approval', () => {
    expect(open.gateway.output()).toContain('each command needs the approval of a person');
  });
});
