/** Tools that are added to the catalog: with a plain JSON Schema, with `always`, and with an unusable schema. */
import { type BuildCopy, copyBuild } from '../fault/build_copy';
import { type AgentBench, startBench } from '../support/agent_bench';
import { compileInto } from '../support/built_source';
import type { ModelRequest } from '../support/mock_model';

const CLASSES = `
import { Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { AgentTool } from './tools/agent_tool_decorator';

@Provide()
@Scope(ScopeEnum.Singleton)
class ForeignTools {
  @AgentTool({
    name: 'book_train', toolset: 'trains', label: 'Book a train', description: 'Books a seat. Asks for nothing else.', effect: 'read', always: true,
    parameters: {
      type: 'object',
      properties: { seats: { type: 'integer', minimum: 1, maximum: 4 }, to: { $ref: '#/$defs/station' } },
      required: ['to'], additionalProperties: false, $defs: { station: { type: 'string', minLength: 2 } },
    },
  })
  book(args) { return 'Booked to ' + args.to; }

  @AgentTool({ name: 'broken', toolset: 'trains', label: 'Broken', description: 'Broken.', effect: 'read', parameters: { type: 'strnig' } })
  broken() { return 'never'; }
}

export const TOOL_CLASSES = [ForeignTools];
`;

let copy: BuildCopy;
let bench: AgentBench;

beforeAll(async () => {
  copy = await copyBuild();
  await compileInto(copy, 'tool_classes.ts', CLASSES);
  bench = await startBench({ root: copy.root });
});

afterAll(async () => {
  await bench?.stop();
  await copy?.remove();
});

const callDirectly = (toolName: string, parameters: object) =>
  bench.rest.request<{ status: string; message: string; error: { message: string } }>('POST', '/tools/call', { toolName, parameters });

interface Row {
  name: string;
  enabled: boolean;
  problems?: string[];
}

async function listTools(query = '') {
  const { body } = await bench.rest.request<{ data: Row[] }>('GET', `/tools${query}`);
  return { names: body.data.map(({ name }) => name), row: (name: string) => body.data.find(tool => tool.name === name) };
}

it('a plain JSON Schema validates all arguments, and the message names the field (neta.catalog.schema)', async () => {
  const { body } = await callDirectly('book_train', { to: 'x', seats: 1 });
  expect(body).toMatchObject({ status: 'error', message: expect.stringContaining('- to: must be at least 2 characters long') });
  expect((await callDirectly('book_train', { to: 'Rome', seats: 9 })).body.message).toContain(
    '- seats: must be integer of at most 4, got 9',
  );
  expect((await callDirectly('book_train', { to: 'Rome', seats: 2 })).body).toMatchObject({ status: 'success', message: 'Booked to Rome' });
});

it('a tool with `always` is given to every agent (beaver.spec)', async () => {
  bench.model.onTurn('to Rome', { toolCalls: [{ name: 'book_train', arguments: { to: 'Rome' } }] }, 'done');
  const { body } = await bench.rest.run({ input: 'to Rome please' });
  expect(body.toolCalls).toEqual([expect.objectContaining({ name: 'book_train', ok: true })]);
  const request = bench.model.requests('to Rome').at(-1) as ModelRequest;
  expect(request.toolNames).toContain('book_train');
  expect(request.toolNames).not.toContain('broken');
});

it('an unusable schema disables only its own tool and says why', async () => {
  const { row } = await listTools();
  expect(row('broken')).toMatchObject({ enabled: false, problems: [expect.stringMatching(/its schema cannot be compiled/)] });
  expect(row('book_train')).toMatchObject({ enabled: true });
  const { status, body: refused } = await callDirectly('broken', {});
  expect([status, refused.error.message]).toEqual([
    404,
    expect.stringMatching(/broken: The tool is disabled: its schema cannot be compiled/),
  ]);
  expect(bench.gateway.output()).toMatch(/the tool broken is disabled/);
});

it('a row says where a tool comes from and how often it was called, and rows can be filtered (beaver.registry)', async () => {
  const { row } = await listTools();
  expect([row('book_train'), row('bash')]).toMatchObject([{ origin: 'code' }, { origin: 'builtin', calls: 0 }]);
  const before = row('book_train') as Row & { calls: number; errors: number; countedSince: string };
  await callDirectly('book_train', { to: 'Rome' });
  await callDirectly('book_train', {});
  const after = (await listTools('?origin=code&enabled=true')).row('book_train');
  expect(after).toMatchObject({ calls: before.calls + 2, errors: before.errors + 1, countedSince: before.countedSince });
  expect(before.countedSince).toMatch(/^\d{4}-.*Z$/);
  expect((await listTools('?toolset=trains')).names).toEqual(['book_train', 'broken']);
  expect((await listTools('?toolset=trains&enabled=false')).names).toEqual(['broken']);
  expect((await bench.rest.request('GET', '/tools?origin=mars')).status).toBe(400);
});

it('a row is the MCP descriptor of its tool, with the hints that follow from the effect (beaver.spec)', async () => {
  const { row } = await listTools();
  expect(row('book_train')).toMatchObject({
    name: 'book_train',
    label: 'Book a train',
    parameters: { type: 'object', required: ['to'] },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
  expect(row('write_file')).toMatchObject({ annotations: { readOnlyHint: false, destructiveHint: true } });
});
