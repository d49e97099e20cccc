import { LabelNames } from '../../../src/feature/telemetry/label_values';

const names = () => new LabelNames({ hasModel: name => name === 'gpt-5-mini', findTool: () => undefined });

describe('labels of metrics', () => {
  it('name at most 200 tools from outside the code; the rest are other', () => {
    const labels = names();
    const labelOf = (i: number) => labels.tool({ tool: `mcp_tool_${i}`, toolset: 'files', origin: 'mcp' });
    const given = Array.from({ length: 250 }, (_, i) => labelOf(i));
    expect(new Set(given).size).toBe(201);
    expect(given.filter(label => label === 'other')).toHaveLength(50);
    expect(labelOf(0)).toBe('mcp_tool_0');
    expect(labels.tool({ tool: 'read_file', toolset: 'files', origin: 'builtin' })).toBe('read_file');
  });

  it('do not name tools that callers bring or models invent, nor models that only a client names', () => {
    const labels = names();
    expect(labels.tool({ tool: 'my_function', toolset: 'caller', origin: 'caller' })).toBe('other');
    expect(labels.tool({ tool: 'ghost', origin: 'builtin' })).toBe('other');
    expect([labels.model('gpt-5-mini'), labels.model('my-model')]).toEqual(['gpt-5-mini', 'other']);
  });
});
