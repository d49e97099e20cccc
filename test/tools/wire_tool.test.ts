import { getAllToolNames, getSchema } from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';
import { toWireTool } from '../../src/tools/wire_tool';

const specOf = (name: string): ToolSpec => getSchema(name) as ToolSpec;

describe('toWireTool', () => {
  it('makes the function format in English', () => {
    const wire = toWireTool(specOf('list_dir'), 'en');
    expect(wire).toMatchObject({ type: 'function', function: { name: 'list_dir', description: specOf('list_dir').description } });
    expect(wire.function.parameters).toMatchObject({
      type: 'object',
      additionalProperties: false,
      properties: { path: { type: 'string' } },
    });
  });

  it('takes description and parameters from the translation and leaves the spec alone', () => {
    const before = JSON.stringify(specOf('patch'));
    const wire = toWireTool(specOf('patch'), 'zh-CN');
    expect(wire.function.description).toMatch(/\p{Script=Han}/u);
    const properties = wire.function.parameters.properties as Record<string, { description: string }>;
    for (const property of Object.values(properties)) expect(property.description).toMatch(/\p{Script=Han}/u);
    expect(JSON.stringify(specOf('patch'))).toBe(before);
  });

  it('writes a union of constants as an enum, inside arrays too', () => {
    const { parameters } = toWireTool(specOf('todo'), 'en').function;
    expect(JSON.stringify(parameters)).toContain('"enum":["pending","in_progress","completed","cancelled"]');
    expect(JSON.stringify(parameters)).not.toContain('anyOf');
  });

  it('uses English for a tool without a translation, and keeps a plain JSON Schema unchanged', () => {
    const parameters = { type: 'object', properties: { anyOf: { type: 'string' }, n: { anyOf: [{ type: 'string' }, { type: 'null' }] } } };
    const spec: ToolSpec = { name: 'x', toolset: 't', label: 'X', description: 'Does x', effect: 'read', parameters };
    expect(toWireTool(spec, 'zh-CN')).toEqual({ type: 'function', function: { name: 'x', description: 'Does x', parameters } });
  });

  it('is plain JSON for every tool', () => {
    for (const name of getAllToolNames()) {
      const wire = toWireTool(specOf(name), 'zh-CN');
      expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
    }
  });
});
