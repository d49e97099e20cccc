import { Type } from '@sinclair/typebox';
import { builtinTools } from '../../src/builtin_tools';
import { type AgentTool, defineTool, textResult } from '../../src/tools/common';
import { toEmbeddingCandidate, toMcpDescriptor } from '../../src/tools/tool_exports';

const hello = defineTool({
  name: 'greet',
  toolset: 'manners',
  label: 'Greet',
  description: 'Says hello.',
  effect: 'read',
  parameters: Type.Object({ name: Type.String({ description: 'Whom to greet' }) }, { additionalProperties: false }),
  execute: async ({ name }) => textResult(`Hello ${name}`),
});

describe('the exports of a tool (beaver.spec)', () => {
  it('are an MCP descriptor and a text for search by meaning', () => {
    expect(toMcpDescriptor(hello)).toEqual({
      name: 'greet',
      title: 'Greet',
      description: 'Says hello.',
      inputSchema: expect.objectContaining({ type: 'object', required: ['name'] }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(toEmbeddingCandidate(hello)).toEqual({ name: 'greet', text: 'Greet (greet)\nSays hello.\nname: Whom to greet' });
    const hintsOf = (effect: AgentTool['effect']) => Object.values(toMcpDescriptor({ ...hello, effect }).annotations);
    expect(Object.keys(toMcpDescriptor(hello).annotations)).toEqual(['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']);
    expect(hintsOf('idempotent')).toEqual([false, false, true, false]);
    expect(hintsOf('write')).toEqual([false, true, false, false]);
    expect(hintsOf('external')).toEqual([false, true, false, true]);
    for (const tool of builtinTools()) expect(toEmbeddingCandidate(tool, 'zh-CN').text).toMatch(/\p{Script=Han}/u);
  });
});
