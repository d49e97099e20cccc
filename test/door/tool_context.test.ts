/** The context of a tool and the use of its result, through every door, seen by a tool that reports its context (beaver.context). */
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { type AgentBench, startBench } from '../support/agent_bench';
import { addTool } from '../support/built_source';
import type { ModelRequest } from '../support/mock_model';

const SPY = `
import { Type } from '@sinclair/typebox';
import { defineTool, errorResult, textResult } from '../common';

export const spyTool = defineTool({
  name: 'spy', toolset: 'base', label: 'Spy', description: 'Tells what it was given.', effect: 'external',
  translations: { 'zh-CN': { label: 'Spy', description: 'Spy', parameters: {} } },
  parameters: Type.Object({ end: Type.String() }, { additionalProperties: false }),
  async execute({ end }, ctx) {
    if (end === 'refuse') return errorResult('Not today.', { why: 'spite' });
    if (end === 'throw') throw new Error('slipped');
    const { tenantId, sessionId, runId, toolCallId, locale, workspace, signal } = ctx;
    const services = ['shell', 'todos', 'web', 'weather', 'fileSearch', 'patchEngine', 'changes', 'clock', 'onOutput'].filter(name => ctx[name]);
    const canAsk = ctx.onClarifyRequest !== undefined;
    return textResult(JSON.stringify({ tenantId, sessionId, runId, toolCallId, locale, root: workspace.root, aborted: signal.aborted, services, canAsk }));
  },
});
`;

let copy: BuildCopy;
let bench: AgentBench;

beforeAll(async () => {
  copy = await copyBuild();
  await addTool(copy, { file: 'spy.ts', code: SPY, importLine: "import { spyTool } from './builtin/spy';", exportName: 'spyTool' });
  bench = await startBench({ root: copy.root });
});
afterAll(async () => {
  await bench?.stop();
  await copy?.remove();
});

interface Answer {
  told: string;
  ok: boolean;
  ids: { sessionId?: string; runId?: string };
}

const spy = (end: string) => ({ toolCalls: [{ name: 'spy', id: 'call_spy', arguments: { end } }] });
const toldIn = (text: string): string => (bench.model.requests(text).at(-1) as ModelRequest).toolResults[0] ?? '';

const DOORS: [door: string, canAsk: boolean, call: (end: string) => Promise<Answer>][] = [
  [
    'Socket.IO',
    true,
    async end => {
      const text = `spy over the socket: ${end}`;
      bench.model.onTurn(text, spy(end), 'done');
      const client = await bench.connect();
      const { sessionId, runId } = await client.chat(text);
      await client.endOf(runId);
      const called = client.eventsOf(runId).find(event => event.type === 'tool_call_end');
      return { told: toldIn(text), ok: called?.data.ok === true, ids: { sessionId, runId } };
    },
  ],
  [
    'REST',
    false,
    async end => {
      const text = `spy over REST: ${end}`;
      bench.model.onTurn(text, spy(end), 'done');
      const { sessionId, runId, toolCalls } = (await bench.rest.run({ input: text })).body;
      return { told: toldIn(text), ok: toolCalls[0]?.ok === true, ids: { sessionId, runId } };
    },
  ],
  [
    'a direct call',
    false,
    async end => {
      const call = { toolName: 'spy', parameters: { end } };
      const { body } = await bench.rest.request<{ status: string; message: string }>('POST', '/tools/call', call);
      return { told: body.message, ok: body.status === 'success', ids: {} };
    },
  ],
];

describe.each(DOORS)('over %s', (_door, canAsk, call) => {
  it('a tool gets the workspace, the session, the user and services (beaver.context)', async () => {
    const { told, ids } = await call('well');
    expect(JSON.parse(told)).toEqual({
      tenantId: 'default',
      ...ids,
      toolCallId: ids.runId === undefined ? expect.stringMatching(/^exe/) : 'call_spy',
      locale: 'en',
      root: bench.gateway.workspace,
      aborted: false,
      services: ['shell', 'todos', 'web', 'weather', 'fileSearch', 'patchEngine', 'changes', 'clock', 'onOutput'],
      canAsk,
    });
  });

  it('a success, an expected failure and an exception each give a result with a text (nanoclaw.result)', async () => {
    expect((await call('well')).ok).toBe(true);
    expect(await call('refuse')).toMatchObject({ ok: false, told: 'Not today.' });
    expect(await call('throw')).toMatchObject({ ok: false, told: 'spy failed unexpectedly: slipped' });
  });
});
