/** What every door must do, through its official client. A behaviour that a door has no form for is proven at the door that serves it instead. */
import type { AgentBench } from '../support/agent_bench';
import type { Door, DoorCaller, DoorClient } from '../support/doors/door';
import { OwnerView } from '../support/doors/owner_view';
import type { ModelRequest } from '../support/mock_model';
import { until } from '../support/until';

const STORY = 'one two three four';
const USED = { inputTokens: 400, outputTokens: 100 };
/** What a key of `budget` may use in a day: two answers of the model. */
export const BUDGET_TOKENS = 1_000;
const LIST = { name: 'list_dir', arguments: { path: '.' } };

/** The gateway of the suite. Its rules ask for an approval of commands that contain `tally`. */
export interface DoorSuite {
  bench: AgentBench;
  /** May chat, decide approvals and use tools. */
  owner: DoorCaller;
  /** Has the scope to chat alone, and a budget of BUDGET_TOKENS. Each call gives another caller. */
  poor(): DoorCaller;
  /** Has the same scopes as the owner, in another tenant. */
  rival: DoorCaller;
}

/** `suite` is called inside the tests. */
export function describeDoor(door: Door, suite: () => DoorSuite): void {
  describe(door.name, () => new DoorTests(door, suite).define());
}

class DoorTests {
  private readonly clients: DoorClient[] = [];

  constructor(
    private readonly door: Door,
    private readonly suite: () => DoorSuite,
  ) {}

  define(): void {
    const { stream, resume, question, approval, cancel } = this.door.forms;
    afterAll(() => Promise.all(this.clients.map(client => client.close())));
    it(`[doors] stream (${stream})`, () => this.stream());
    it(`[doors] resume (${resume})`, () => this.resume());
    if (resume === 'cursor') it('[doors] resume at any cursor', () => this.resumeAnywhere());
    for (const form of question) it(`[doors] question (${form})`, () => this.question(form));
    it(`[doors] approval (${approval})`, () => this.approval());
    it(`[doors] cancel (${cancel})`, () => this.cancel());
    it('[doors] budget', () => this.budget());
    it('[doors] error', () => this.error());
    it('[doors] tenant', () => this.tenant());
  }

  private async stream(): Promise<void> {
    const { model } = this.suite().bench;
    const message = this.message('tell a story');
    const { stream } = this.door.forms;
    const seen: string[] = [];
    if (stream === 'steps') model.onTurn(message, { toolCalls: [LIST] }, { text: STORY, pauseAfter: 0 });
    else model.onTurn(message, { text: STORY, chunkSize: 4, pauseAfter: stream === 'state' ? 0 : 1 });
    // The model goes on when the client has seen that it works.
    const goOn = (text: string) => {
      seen.push(text);
      model.resume();
    };
    const turn = (await this.connect()).send(message, { onText: goOn, onStep: () => seen.push('step') });
    if (stream === 'elsewhere') {
      expect((await turn).id).toBe((await this.owner.runOf(message)).runId);
      model.resume();
      return this.owner.untilText(message, STORY);
    }
    if (stream !== 'text') {
      await model.waitFor(request => request.userText.includes(message) && request.step === (stream === 'steps' ? 1 : 0));
      await until(() => seen.length > 0);
      model.resume();
    }
    expect(await turn).toMatchObject({ text: STORY, end: this.door.ends.completed });
    if (stream === 'text') expect(STORY.startsWith(seen[0] ?? '-') && seen[0] !== STORY).toBe(true);
  }

  private async resume(): Promise<void> {
    const { model } = this.suite().bench;
    const message = this.message('break off');
    model.onTurn(message, { text: STORY, chunkSize: 4, pauseAfter: 1 });
    const client = await this.connect();
    const leave = new AbortController();
    const leaveNow = () => leave.abort();
    const sending = client.send(message, { onText: leaveNow, onStep: leaveNow, leave: leave.signal });
    if (this.door.forms.resume === 'none') {
      await expect(sending).rejects.toThrow();
      return this.owner.expectStatus(message, 'cancelled');
    }
    const left = await sending;
    await model.waitFor(message);
    const { resume, stream } = this.door.forms;
    if (resume === 'state' && stream === 'text') {
      model.resume();
      await this.owner.untilText(message, STORY);
      expect(await client.comeBack?.(left)).toMatchObject({ text: STORY });
    } else if (stream === 'elsewhere') {
      expect(await client.comeBack?.(left)).toMatchObject({ id: left.id });
      model.resume();
      await this.owner.untilText(message, STORY);
    } else {
      const back = client.comeBack?.(left);
      model.resume();
      expect(await back).toMatchObject({ text: STORY, end: this.door.ends.completed });
    }
    expect(model.requests(message)).toHaveLength(1);
    expect(await this.owner.runsOf(message)).toHaveLength(1);
  }

  private async resumeAnywhere(): Promise<void> {
    const message = this.message('count on');
    this.suite().bench.model.onTurn(message, { text: 'I look. ', toolCalls: [LIST] }, STORY);
    const client = await this.connect();
    const turn = await client.send(message);
    const log = (await client.readLog?.(turn)) ?? [];
    expect(log.length).toBeGreaterThan(4);
    const rests = await Promise.all(log.map(({ cursor }) => client.readLog?.(turn, cursor)));
    for (const [i, rest] of rests.entries()) expect(rest).toEqual(log.slice(i + 1));
  }

  private async question(form: 'asked' | 'text' | 'elsewhere'): Promise<void> {
    const { bench, owner } = this.suite();
    const message = this.message(`paint it, ${form}`);
    const answer = this.message('green');
    const ask = { toolCalls: [{ name: 'clarify', arguments: { question: 'Which colour?' } }] };
    bench.model.onTurn(message, ask, ({ toolResults }) => `Painted: ${toolResults[0]}`);
    bench.model.onTurn(answer, 'Painted: green');
    const client = await this.connect();
    if (form === 'text') {
      const asked = await client.send(message);
      expect(asked.text).toContain('Which colour?');
      const { text } = await client.send(answer, { conversation: asked.conversation });
      expect(text).toMatch(/Painted: .*green/s);
    } else {
      const questions: string[] = [];
      const onQuestion = (question: string) => {
        questions.push(question);
        return answer;
      };
      const turn = client.send(message, form === 'asked' ? { onQuestion } : {});
      if (form === 'elsewhere') {
        const open = await until(async () => (await this.owner.openQuestions('clarifications', message))[0]);
        await owner.rest.request('POST', `/clarifications/${open?.requestId}`, { answer });
        await turn;
        await until(() => bench.model.requests(request => request.body.messages.some(({ content }) => `${content}`.includes(answer)))[0]);
      } else {
        expect((await turn).text).toMatch(/Painted: .*green/s);
        expect(questions).toEqual([expect.stringContaining('Which colour?')]);
      }
    }
    expect(await this.owner.openQuestions('clarifications', message)).toEqual([]);
  }

  private async approval(): Promise<void> {
    await Promise.all((['allow', 'deny'] as const).map(decision => this.decide(decision)));
  }

  private async decide(decision: 'allow' | 'deny'): Promise<void> {
    const { model } = this.suite().bench;
    const { approval } = this.door.forms;
    const message = this.message(`do it, ${decision}`);
    const word = Buffer.from(message).toString('hex');
    model.onTurn(message, { toolCalls: [{ name: 'bash', arguments: { command: `echo ${word} >> tally.txt` } }] }, told);
    const shown: string[] = [];
    const onApproval = (call: string) => {
      shown.push(call);
      return decision;
    };
    const turn = (await this.connect()).send(message, approval === 'asked' ? { onApproval } : {});
    if (approval === 'elsewhere') await this.owner.decide(message, decision);
    await turn;
    await this.owner.untilText(message, 'Told: ');
    const isAllowed = decision === 'allow' && approval !== 'refused';
    expect([decision, await this.owner.hasTallied(word)]).toEqual([decision, isAllowed]);
    if (approval === 'asked') expect(shown).toEqual([expect.stringContaining(word)]);
  }

  private async cancel(): Promise<void> {
    const { model } = this.suite().bench;
    const message = this.message('go on for ever');
    model.onTurn(message, { text: STORY, chunkSize: 4, pauseAfter: 1 });
    const cancel = new AbortController();
    // A first step may come before the request to the model.
    const stop = () => void model.waitFor(message).then(() => cancel.abort());
    const turn = (await this.connect()).send(message, { onText: stop, onStep: stop, cancel: cancel.signal });
    const outcome = turn.then(({ end }) => end).catch(thrown => thrown);
    const request = await model.waitFor(message);
    if (this.door.forms.cancel === 'elsewhere') await this.owner.cancel(message);
    expect({ outcome: await outcome }).toMatchObject({ outcome: this.door.ends.cancelled });
    expect(await request.ended).toBe('hung_up');
    await this.owner.expectStatus(message, 'cancelled');
  }

  private async budget(): Promise<void> {
    const { model } = this.suite().bench;
    const { budget, stream } = this.door.forms;
    const message = this.message('look around');
    const look = { toolCalls: [LIST], usage: USED };
    model.onTurn(message, { ...look, text: 'I look.' }, look, look, 'All seen.');
    const client = await this.connect(this.suite().poor());
    const turn = await client.send(message);
    await this.owner.expectStatus(message, 'incomplete');
    expect(model.requests(message)).toHaveLength(2);
    if (budget !== undefined) expect(turn).toMatchObject({ end: this.door.ends.budget });
    if (stream !== 'elsewhere') expect(turn.text).toContain('I look.');
    await expect(client.send(this.message('look again'))).rejects.toMatchObject(this.door.errors.quota);
  }

  private async error(): Promise<void> {
    const { bench, owner } = this.suite();
    const { failedRun, unknownAgent, wrongKey } = this.door.errors;
    const message = this.message('break down');
    bench.model.onTurn(message, { error: { status: 400, message: 'no' } });
    const client = await this.connect();
    if (this.door.forms.stream === 'elsewhere') await client.send(message);
    else await expect(client.send(message)).rejects.toMatchObject(failedRun);
    await this.owner.expectStatus(message, 'failed');
    const unknown = this.message('who is there');
    await expect(client.send(unknown, { agent: 'nobody' })).rejects.toMatchObject(unknownAgent);
    const stranger = async () => (await this.connect({ ...owner, secret: 'a-wrong-secret-0123456789' })).send(unknown);
    await expect(stranger()).rejects.toMatchObject(wrongKey);
    expect(await this.owner.runsOf(unknown)).toEqual([]);
  }

  private async tenant(): Promise<void> {
    const { bench, rival } = this.suite();
    const message = this.message('the word is swan');
    bench.model.onTurn(message, 'I keep the swan.');
    bench.model.onTurn(/let me in/, 'Come in.');
    const turn = await (await this.connect()).send(message);
    const intruder = await this.connect(rival);
    const { otherTenant } = this.door.errors;
    const attempts = intruder.attempts(turn).map(async attempt => {
      if (otherTenant !== 'own') await expect(attempt()).rejects.toMatchObject(otherTenant);
      else expect(JSON.stringify(await attempt())).not.toContain('swan');
    });
    await Promise.all(attempts);
    const seen = bench.model.requests('let me in').map(({ body }) => JSON.stringify(body.messages));
    expect(seen.filter(text => text.includes('swan'))).toEqual([]);
    await this.owner.expectStatus(message, 'completed');
  }

  private get owner(): OwnerView {
    return new OwnerView(this.suite().owner.rest);
  }

  /** Makes a message unique among the doors. */
  private message(text: string): string {
    return `${text} [${this.door.name}]`;
  }

  private async connect(caller: DoorCaller = this.suite().owner): Promise<DoorClient> {
    const client = await this.door.connect(caller);
    this.clients.push(client);
    return client;
  }
}

const told = ({ toolResults }: ModelRequest): string => `Told: ${toolResults.at(-1)}`;
