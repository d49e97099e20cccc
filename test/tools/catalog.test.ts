import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import {
  builtinTools,
  getAllToolNames,
  getSchema,
  getSchemasByToolset,
  getToolNamesByToolsets,
  getToolsets,
  registerSchema,
  TOOLSET_DEFAULTS,
} from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';

const ALL = [
  'bash',
  'read_file',
  'write_file',
  'list_dir',
  'patch',
  'todo',
  'clarify',
  'memory_save',
  'memory_recall',
  'read_skill',
  'read_skill_file',
  'skill_manage',
  'delegate_task',
  'delegate_parallel',
  'escalate',
];

describe('catalog', () => {
  it('neta.catalog.queries names every tool, the defaults and the tools of chosen toolsets in one order', () => {
    expect(TOOLSET_DEFAULTS).toEqual(['base', 'planning', 'interaction']);
    expect(getAllToolNames()).toEqual(ALL);
    expect(getToolNamesByToolsets(TOOLSET_DEFAULTS)).toEqual(ALL.slice(0, 7));
    expect(getToolNamesByToolsets(['crew', 'base'])).toEqual([...ALL.slice(0, 5), ...ALL.slice(12)]);
    expect(getAllToolNames(['planning'])).toEqual(['todo']);
    expect(getToolNamesByToolsets(['nothing'])).toEqual([]);
    expect(getToolsets()).toEqual(['base', 'planning', 'interaction', 'memory', 'skill', 'crew']);
  });

  it.each([
    ['base', ['bash', 'read_file', 'write_file', 'list_dir', 'patch']],
    ['planning', ['todo']],
    ['interaction', ['clarify']],
    ['memory', ['memory_save', 'memory_recall']],
    ['skill', ['read_skill', 'read_skill_file', 'skill_manage']],
    ['crew', ['delegate_task', 'delegate_parallel', 'escalate']],
  ])('neta.catalog.toolsets puts exactly its tools into %s', (toolset, names) => {
    expect(getSchemasByToolset(toolset).map(spec => spec.name)).toEqual(names);
  });

  it.each(ALL)('neta.catalog.schema holds the data of %s and nothing that runs', name => {
    const spec = getSchema(name);
    expect(spec).toMatchObject({ name, label: expect.any(String), description: expect.any(String), effect: expect.any(String) });
    expect(spec).not.toHaveProperty('execute');
    expect(spec).not.toHaveProperty('timeoutMs');
    expect(spec?.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(() => TypeCompiler.Compile(spec?.parameters as TSchema)).not.toThrow();
  });

  it.each(ALL)('describes %s and each of its parameters in Chinese too', name => {
    const spec = getSchema(name) as ToolSpec;
    const translation = spec.translations?.['zh-CN'];
    const properties = (spec.parameters as { properties: Record<string, { description?: string }> }).properties;
    expect(translation?.description).toMatch(/\p{Script=Han}/u);
    expect(Object.keys(translation?.parameters ?? {})).toEqual(Object.keys(properties));
    for (const property of Object.values(properties)) expect(property.description).toBeTruthy();
  });

  it('tells what each built-in tool does to the world', () => {
    expect(Object.fromEntries(builtinTools().map(tool => [tool.name, tool.effect]))).toEqual({
      bash: 'write',
      read_file: 'read',
      write_file: 'write',
      list_dir: 'read',
      patch: 'write',
      todo: 'idempotent',
      clarify: 'external',
    });
  });

  it.each(['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'clarify', 'memory', 'skill', 'crew'])(
    'neta.catalog.central sees every tool when builtin/%s was loaded before it',
    file => {
      jest.isolateModules(() => {
        require(`../../src/tools/builtin/${file}`);
        const catalog = require('../../src/tools/catalog') as typeof import('../../src/tools/catalog');
        expect(catalog.getAllToolNames()).toEqual(ALL);
        expect(catalog.builtinTools().map(tool => tool.name)).toEqual(ALL.slice(0, 7));
      });
    },
  );

  describe('registerSchema', () => {
    const spec = { toolset: 'echo', label: 'Echo', description: 'Says it again', effect: 'read' as const, parameters: { type: 'object' } };

    it('adds a tool, replaces one of the same name and drops what is not data', () => {
      jest.isolateModules(() => {
        const catalog = require('../../src/tools/catalog') as typeof import('../../src/tools/catalog');
        const tool = { ...spec, name: 'echo', execute: () => {} };
        catalog.registerSchema(tool);
        catalog.registerSchema({ ...spec, name: 'echo', label: 'Again' });
        expect(catalog.getSchemasByToolset('echo')).toEqual([{ ...spec, name: 'echo', label: 'Again' }]);
        catalog.registerSchema({ ...spec, name: 'bash' });
        expect(catalog.getAllToolNames()).toEqual([...ALL, 'echo']);
      });
    });

    it.each(['', 'a b', 'x'.repeat(65), 'bash\n', 'naïve', '../x'])('refuses the name %j', name => {
      expect(() => registerSchema({ ...spec, name })).toThrow('must match');
    });
  });
});
