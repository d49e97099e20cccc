import { Type } from '@sinclair/typebox';
import { builtinTools } from '../../src/builtin_tools';
import { defineTool, errorResult, type AgentTool as Tool, ToolInputError, type ToolResult, textResult } from '../../src/tools/common';
import { ToolRegistry } from '../../src/tools/registry';
import { openToolBench, type ToolBench } from '../support/tool_context';

const GreetParameters = Type.Object({ name: Type.String({ description: 'Whom to greet' }) }, { additionalProperties: false });

const greeting = (execute: (args: { name: string }) => Promise<ToolResult>, more: Partial<Tool> = {}): Tool =>
  ({
    ...defineTool({
      name: 'greet',
      toolset: 'manners',
      label: 'Greet',
      description: 'Says hello.',
      effect: 'read',
      parameters: GreetParameters,
      execute,
    }),
    ...more,
  }) as Tool;

const hello = greeting(async ({ name }) => textResult(`Hello ${name}`, { length: name.length }));

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

describe('a tool registry (nanoclaw.define, beaver.registry)', () => {
  it('does not offer a tool whose schema cannot be used, and says why', () => {
    const registry = new ToolRegistry([hello, { ...hello, name: 'bad', toolset: 'foreign', parameters: { type: 'strnig' } }]);
    expect(registry.list()).toEqual([hello]);
    expect(registry.has('bad')).toBe(false);
    expect(registry.problemOf('bad')?.en).toMatch(/cannot be compiled/);
    expect(registry.toolsets()).toEqual(['manners', 'foreign']);
    expect(() => registry.register({ ...hello, name: 'bad' })).toThrow('already');
  });

  it('registers, finds, lists and removes', () => {
    const registry = new ToolRegistry([hello]);
    registry.register({ ...hello, name: 'other', toolset: 'rest' });
    expect(registry.has('greet')).toBe(true);
    expect(registry.get('greet')).toBe(hello);
    expect(registry.get('nobody')).toBeUndefined();
    expect(registry.list().map(tool => tool.name)).toEqual(['greet', 'other']);
    expect(registry.listByCategory('rest').map(tool => tool.name)).toEqual(['other']);
    expect([registry.remove('other'), registry.remove('other'), registry.has('other')]).toEqual([true, false, false]);
  });

  it('refuses a name that is taken or that model servers do not accept', () => {
    const registry = new ToolRegistry([hello]);
    expect(() => registry.register(hello)).toThrow('greet already');
    for (const name of ['', 'a b', 'x'.repeat(65), '../x']) expect(() => registry.register({ ...hello, name })).toThrow('must match');
    registry.register({ ...hello, name: '__proto__' });
    expect(registry.get('__proto__')?.name).toBe('__proto__');
    expect(registry.get('constructor')).toBeUndefined();
  });

  it('holds every built-in tool', () => {
    expect(new ToolRegistry(builtinTools()).list()).toHaveLength(builtinTools().length);
  });

  it('gives specs without functions, those of every agent, and provider schemas of chosen tools (beaver.spec)', () => {
    const registry = new ToolRegistry([hello, { ...hello, name: 'needed', always: true }]);
    expect(registry.listSpecs()[0]).not.toHaveProperty('execute');
    expect(registry.listAlwaysSpecs().map(spec => spec.name)).toEqual(['needed']);
    expect(registry.getSpecs(['needed', 'nobody', 'greet']).map(spec => spec.name)).toEqual(['needed', 'greet']);
    expect(registry.exportSelectedProviderSchemas(['greet'])).toEqual([
      {
        type: 'function',
        function: {
          name: 'greet',
          description: 'Says hello.',
          parameters: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: { name: { type: 'string', description: 'Whom to greet' } },
          },
        },
      },
    ]);
  });
});

describe('a result of a registry (nanoclaw.result)', () => {
  const run = (tool: Tool, args: unknown, name = tool.name) => new ToolRegistry([tool]).execute(name, args, bench.ctx);

  it('has success, content, data and error', async () => {
    expect(await run(hello, { name: 'Ann' })).toEqual({
      success: true,
      content: 'Hello Ann',
      data: { content: 'Hello Ann', length: 3 },
      error: null,
    });
  });

  it.each<[string, Tool, unknown, RegExp]>([
    ['an unknown tool', { ...hello, name: 'other' }, {}, /no tool "greet"/],
    ['bad arguments', hello, { nam: 1 }, /not valid/],
    ['an expected failure', greeting(async () => errorResult('not today')), { name: 'x' }, /^not today$/],
    [
      'arguments that make no sense',
      greeting(() => Promise.reject(new ToolInputError('no sense', '没有意义'))),
      { name: 'x' },
      /^no sense$/,
    ],
    ['a throw', greeting(() => Promise.reject(new Error('boom'))), { name: 'x' }, /failed unexpectedly: boom/],
    [
      'a throw before any promise',
      greeting(() => {
        throw 'text';
      }),
      { name: 'x' },
      /text/,
    ],
  ])('of %s is a failure, never a crash', async (_what, tool, args, error) => {
    const outcome = await run(tool, args, 'greet');
    expect(outcome).toMatchObject({ success: false, data: null, error: expect.stringMatching(error) });
    expect(outcome.content).toBe(outcome.error);
  });
});
