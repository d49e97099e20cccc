import '../../src/builtin_tools';
import { getAllToolNames, getSchema } from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';
import { parametersIn } from '../../src/tools/parameter_paths';
import { toWireTool } from '../../src/tools/wire_tool';

const specOf = (name: string): ToolSpec => getSchema(name) as ToolSpec;

/** Returns each `description` that is a text, in the value and in everything inside it. */
function descriptionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'description' && typeof part === 'string' ? [part] : descriptionsOf(part),
  );
}

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

  it('describes every parameter of every tool in Chinese, at any depth', () => {
    const english = getAllToolNames().flatMap(name =>
      descriptionsOf(toWireTool(specOf(name), 'zh-CN').function)
        .filter(text => !/\p{Script=Han}/u.test(text))
        .map(text => `${name}: ${text}`),
    );
    expect(english).toEqual([]);
  });

  it('has a parameter for every name of a translation', () => {
    for (const name of getAllToolNames()) {
      const { translations, parameters } = specOf(name);
      const known = parametersIn(parameters).map(([path]) => path);
      expect(known).toEqual(expect.arrayContaining(Object.keys(translations?.['zh-CN'].parameters ?? {})));
    }
  });

  it('translates parameters inside lists, unions, maps and objects, and takes no name from the prototype', () => {
    const text = { type: 'string', description: 'English' };
    const inner = { type: 'object', properties: { a: text, constructor: text } };
    const parameters = {
      type: 'object',
      properties: {
        list: { type: 'array', items: inner },
        grid: { type: 'array', items: { type: 'array', items: inner } },
        either: { anyOf: [inner, { type: 'null' }] },
        map: { type: 'object', additionalProperties: inner },
        deep: { type: 'object', properties: { er: inner } },
      },
    };
    const names = ['list.a', 'grid.a', 'either.a', 'map.a', 'deep.er.a'];
    const translation = { label: '例', description: '例', parameters: Object.fromEntries(names.map(name => [name, `${name} 的说明`])) };
    const spec: ToolSpec = {
      name: 'x',
      toolset: 't',
      label: 'X',
      description: 'Does x',
      effect: 'read',
      parameters,
      translations: { 'zh-CN': translation },
    };
    const shown = descriptionsOf(toWireTool(spec, 'zh-CN').function.parameters);
    expect(shown).toEqual(names.flatMap(name => [`${name} 的说明`, 'English']));
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
