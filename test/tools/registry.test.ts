import { Type } from '@sinclair/typebox';
import { AgentTool, toolsOf } from '../../src/tools/agent_tool_decorator';
import { builtinTools } from '../../src/tools/catalog';
import {
  defineTool,
  errorResult,
  type AgentTool as Tool,
  type ToolContext,
  ToolInputError,
  type ToolResult,
  textResult,
} from '../../src/tools/common';
import { ToolRegistry } from '../../src/tools/registry';
import { toEmbeddingCandidate, toMcpDescriptor } from '../../src/tools/tool_exports';
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

/** A class as a framework would make it, with a service of its own. */
class Manners {
  constructor(private readonly word: string) {}

  @AgentTool({ name: 'greet', toolset: 'manners', label: 'Greet', description: 'Says hello.', effect: 'read', parameters: GreetParameters })
  async greet({ name }: { name: string }, ctx: ToolContext): Promise<ToolResult> {
    return textResult(`${this.word} ${name} (${ctx.tenantId})`);
  }

  @AgentTool({
    name: 'shout',
    toolset: 'manners',
    label: 'Shout',
    description: 'Says it loudly.',
    effect: 'read',
    parameters: GreetParameters,
  })
  shout({ name }: { name: string }): string {
    return this.word.toUpperCase() + name;
  }
}

class FineManners extends Manners {
  override shout(): string {
    return 'One does not shout.';
  }

  @AgentTool({ name: 'bow', toolset: 'manners', label: 'Bow', description: 'Bows.', effect: 'external', parameters: Type.Object({}) })
  bow(): string {
    return 'bowed';
  }
}

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
    expect(registry.problemOf('bad')).toMatch(/cannot be compiled/);
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

  it('has success, data and error', async () => {
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
    ['arguments that make no sense', greeting(() => Promise.reject(new ToolInputError('no sense'))), { name: 'x' }, /^no sense$/],
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

describe('tools of a class (nanoclaw.define)', () => {
  it('are its decorated methods, with the instance behind them', async () => {
    const registry = new ToolRegistry(toolsOf(new Manners('Hi')));
    expect(registry.list().map(tool => tool.name)).toEqual(['greet', 'shout']);
    expect((await registry.execute('greet', { name: 'Bo' }, bench.ctx)).content).toBe('Hi Bo (default)');
    expect((await registry.execute('shout', { name: 'Bo' }, bench.ctx)).content).toBe('HIBo');
    expect((await registry.execute('shout', {}, bench.ctx)).success).toBe(false);
  });

  it('are inherited and can be overridden, and a parent gets none of its child', async () => {
    const registry = new ToolRegistry(toolsOf(new FineManners('Hi')));
    expect(registry.list().map(tool => tool.name)).toEqual(['greet', 'shout', 'bow']);
    expect((await registry.execute('shout', { name: 'x' }, bench.ctx)).content).toBe('One does not shout.');
    expect(toolsOf(new Manners('Hi'))).toHaveLength(2);
    expect(toolsOf({})).toEqual([]);
  });
});

describe('other forms of a tool (beaver.spec)', () => {
  it('are an MCP descriptor and a text to find it by', () => {
    expect(toMcpDescriptor(hello)).toEqual({
      name: 'greet',
      title: 'Greet',
      description: 'Says hello.',
      inputSchema: expect.objectContaining({ type: 'object', required: ['name'] }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(toEmbeddingCandidate(hello)).toEqual({ name: 'greet', text: 'Greet (greet)\nSays hello.\nname: Whom to greet' });
    const hintsOf = (effect: Tool['effect']) => Object.values(toMcpDescriptor({ ...hello, effect }).annotations);
    expect(Object.keys(toMcpDescriptor(hello).annotations)).toEqual(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
    expect(hintsOf('idempotent')).toEqual([false, false, true, false]);
    expect(hintsOf('write')).toEqual([false, true, false, false]);
    expect(hintsOf('external')).toEqual([false, true, false, true]);
    for (const tool of builtinTools()) expect(toEmbeddingCandidate(tool, 'zh-CN').text).toMatch(/\p{Script=Han}/u);
  });
});
