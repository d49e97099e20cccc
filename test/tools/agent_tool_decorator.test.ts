import { Type } from '@sinclair/typebox';
import { AgentTool, toolsOf } from '../../src/tools/agent_tool_decorator';
import type { ToolContext, ToolResult } from '../../src/tools/common';
import { textResult } from '../../src/tools/common';
import { ToolRegistry } from '../../src/tools/registry';
import { openToolBench, type ToolBench } from '../support/tool_context';

const GreetParameters = Type.Object({ name: Type.String({ description: 'Whom to greet' }) }, { additionalProperties: false });

/** A class that a framework would create, with a service of its own. */
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

describe('tools of a class (nanoclaw.define)', () => {
  it('are its decorated methods, called on the instance', async () => {
    const registry = new ToolRegistry(toolsOf(new Manners('Hi')));
    expect(registry.list().map(tool => tool.name)).toEqual(['greet', 'shout']);
    expect((await registry.execute('greet', { name: 'Bo' }, bench.ctx)).content).toBe('Hi Bo (default)');
    expect((await registry.execute('shout', { name: 'Bo' }, bench.ctx)).content).toBe('HIBo');
    expect((await registry.execute('shout', {}, bench.ctx)).success).toBe(false);
  });

  it('are inherited and can be overridden; a parent does not get those of its child', async () => {
    const registry = new ToolRegistry(toolsOf(new FineManners('Hi')));
    expect(registry.list().map(tool => tool.name)).toEqual(['greet', 'shout', 'bow']);
    expect((await registry.execute('shout', { name: 'x' }, bench.ctx)).content).toBe('One does not shout.');
    expect(toolsOf(new Manners('Hi'))).toHaveLength(2);
    expect(toolsOf({})).toEqual([]);
  });
});
