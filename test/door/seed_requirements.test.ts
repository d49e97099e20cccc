/** Requirements of the seed documents, proven through runs of the built gateway. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../../src/port/run_event';
import '../../src/builtin_tools';
import { getSchema } from '../../src/tools/catalog';
import { type AgentBench, startBench } from '../support/agent_bench';
import type { ModelRequest, ScriptedCall } from '../support/mock_model';
import type { PageBody } from '../support/rest_client';

const CODE = `function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.count;
  }
  return sum;
}

function average(items) {
  say(“mean”);
  // The mean of all the prices in the given list
  const amount = total(items);
  return amount / items.length;
}
`;

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench?.stop());

let turns = 0;
/** Starts a run in which the model makes these calls; returns the end of each call and all events. */
async function runCalls(toolCalls: ScriptedCall[], sessionId?: string) {
  const input = `turn ${++turns} of the requirements`;
  bench.model.onTurn(input, { toolCalls }, 'done');
  const { body } = await bench.rest.run({ input, ...(sessionId && { sessionId }) });
  const { body: page } = await bench.rest.request<PageBody<RunEvent>>('GET', `/runs/${body.runId}/events?limit=1000`);
  const ends = page.data.flatMap(event => (event.type === 'tool_call_end' ? [event.data] : []));
  return { sessionId: body.sessionId, ends, events: page.data, request: bench.model.requests(input).at(-1) as ModelRequest };
}

const patch = (old_string: string): ScriptedCall => {
  // The edit changes only the last line; a misquoted line stays as it is.
  const new_string = old_string.replace(/return sum;$/, 'return sum + 1;');
  return { name: 'patch', arguments: { path: 'a.js', old_string, new_string: new_string === old_string ? '' : new_string } };
};

it.each([
  ['exact', '  let sum = 0;\n  for'],
  ['line_trimmed', 'let sum = 0;\n    for (const item of items) {\n  sum += item.price * item.count;  \n}'],
  ['whitespace_normalized', '  let  sum = 0;\n\n  for (const item of items) {'],
  ['indent_flexible', 'sum = 0;\nfor (const item of items) {'],
  ['escape_normalized', '  let sum = 0;\\n  for (const item of items) {'],
  ['trimmed_boundary', '\n\n\n  let sum = 0;\n  for (const item of items) {'],
  ['unicode_normalized', 'say("mean");'],
  ['block_anchor', '  let sum = 0;\n    sum += item.price * item.count;\n  }\n  return sum;'],
  ['context_aware', '  const ammount = total(items);\n  return ammount / items.length;'],
])('patch finds the old text with the strategy %s (neta.patch.nine)', async (strategy, quotation) => {
  await writeFile(join(bench.gateway.workspace, 'a.js'), CODE);
  const { ends } = await runCalls([{ name: 'read_file', arguments: { path: 'a.js' } }, patch(quotation)]);
  expect(ends[1]).toMatchObject({ ok: true, details: { strategy, count: 1 } });
});

it('todo replaces, merges by id, reads, and sends the plan to clients (neta.todo)', async () => {
  const item = (id: string, status = 'pending') => ({ id, content: `step ${id}`, status });
  const todo = (args: Record<string, unknown>): ScriptedCall => ({ name: 'todo', arguments: args });
  const { sessionId, events } = await runCalls([todo({ todos: [item('a', 'in_progress'), item('b')] })]);
  const plans = (all: readonly RunEvent[]) => all.flatMap(event => (event.type === 'todo_update' ? [event.data.todos] : []));
  expect(plans(events)).toEqual([[item('a', 'in_progress'), item('b')]]);
  const next = await runCalls([todo({ merge: true, todos: [item('c'), item('a', 'completed')] }), todo({})], sessionId);
  const merged = [item('a', 'completed'), item('b'), item('c')];
  expect(plans(next.events).at(-1)).toEqual(merged);
  expect(JSON.parse(next.request.toolResults.at(-1) ?? '')).toMatchObject({ todos: merged });
  const refused = await runCalls([todo({ todos: [item('a', 'in_progress'), item('b', 'in_progress')] })], sessionId);
  expect(refused.ends).toMatchObject([{ ok: false, result: expect.stringContaining('in_progress') }]);
});

it('clarify accepts a question and at most four different choices (neta.clarify.params)', async () => {
  const clarify = (args: Record<string, unknown>): ScriptedCall => ({ name: 'clarify', arguments: args });
  const { ends } = await runCalls([
    clarify({ question: 'q', choices: ['1', '2', '3', '4', '5'] }),
    clarify({ question: 'q', choices: ['1', '1'] }),
    clarify({ choices: ['1'] }),
  ]);
  expect(ends).toMatchObject([
    { ok: false, result: expect.stringContaining('choices') },
    { ok: false, result: expect.stringContaining('choices') },
    { ok: false, result: expect.stringContaining('question') },
  ]);
});

it('the prompt says when and how to use the tools of the run, and only those (neta.prompt.enforcement, neta.prompt.behavior)', async () => {
  const { request } = await runCalls([]);
  const prompt = request.body.messages[0]?.content ?? '';
  // Tools of manifests come without lines for the prompt: their descriptions are data.
  // An agent with clarify is told of one way to ask.
  for (const name of request.toolNames.filter(name => getSchema(name) && name !== 'escalate'))
    expect(prompt).toMatch(new RegExp(`→ .*\\b${name}\\b`));
  for (const name of ['patch', 'todo', 'clarify']) expect(prompt).toContain(getSchema(name)?.howToUse?.title.en ?? '?');
  for (const name of request.toolNames.filter(name => !getSchema(name))) expect(prompt).toContain(`- ${name}: `);
  expect(prompt).not.toMatch(/\b(?:web_search|fetch_page)\b/);
});
