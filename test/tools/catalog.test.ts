import type { TSchema } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { builtinTools } from '../../src/builtin_tools';
import { FILE_CHANGING_TOOLS } from '../../src/port/file_changing_tools';
import {
  getAllToolNames,
  getSchema,
  getSchemasByToolset,
  getToolNamesByToolsets,
  getToolsets,
  registerSchema,
  TOOLSET_DEFAULTS,
} from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';

const DEFAULTS = ['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'todo', 'clarify'];
const DATA = ['calculator', 'text_process', 'json_process', 'get_weather', 'current_time', 'echo'];
const FILES = ['file_read', 'file_write', 'file_delete', 'file_list', 'file_exists', 'file_mkdir', 'search'];
const MORE = ['session_search', 'web_search', 'fetch_page', 'crawl_batch', ...DATA, ...FILES, 'terminal', 'cron'];
const SKILL = ['read_skill', 'read_skill_file', 'skill_manage'];
const MEMORY = ['memory_save', 'memory_recall', 'memory_forget'];
const CREW = ['delegate_task', 'delegate_parallel', 'escalate'];
const BUILTIN = [...DEFAULTS, ...MEMORY, ...SKILL, ...CREW, ...MORE];
const ALL = BUILTIN;

describe('catalog', () => {
  it('has in the list of file changes every tool that changes a file; a made directory is no file', () => {
    const changing = builtinTools().filter(({ workspace }) => workspace === 'change');
    const names = changing.map(({ name }) => name).filter(name => name !== 'file_mkdir');
    expect([...FILE_CHANGING_TOOLS].sort()).toEqual(names.sort());
  });

  it('neta.catalog.queries lists all tools, the defaults and the tools of chosen toolsets in catalog order', () => {
    expect(TOOLSET_DEFAULTS).toEqual(['base', 'planning', 'interaction']);
    expect(getAllToolNames()).toEqual(ALL);
    expect(getToolNamesByToolsets(TOOLSET_DEFAULTS)).toEqual(DEFAULTS);
    expect(getToolNamesByToolsets(['crew', 'base'])).toEqual([...DEFAULTS.slice(0, 5), ...CREW]);
    expect(getAllToolNames(['planning'])).toEqual(['todo']);
    expect(getToolNamesByToolsets(['nothing'])).toEqual([]);
    const more = ['web', 'data', 'utility', 'files', 'terminal', 'jobs'];
    expect(getToolsets()).toEqual(['base', 'planning', 'interaction', 'memory', 'skill', 'crew', ...more]);
  });

  it.each([
    ['base', ['bash', 'read_file', 'write_file', 'list_dir', 'patch']],
    ['planning', ['todo']],
    ['interaction', ['clarify']],
    ['memory', [...MEMORY, 'session_search']],
    ['skill', ['read_skill', 'read_skill_file', 'skill_manage']],
    ['crew', ['delegate_task', 'delegate_parallel', 'escalate']],
    ['web', ['web_search', 'fetch_page', 'crawl_batch']],
    ['data', ['calculator', 'text_process', 'json_process', 'get_weather']],
    ['utility', ['current_time', 'echo']],
    ['files', ['file_read', 'file_write', 'file_delete', 'file_list', 'file_exists', 'file_mkdir', 'search']],
    ['terminal', ['terminal']],
    ['jobs', ['cron']],
  ])('neta.catalog.toolsets puts exactly its tools into %s', (toolset, names) => {
    expect(getSchemasByToolset(toolset).map(spec => spec.name)).toEqual(names);
  });

  it.each(ALL)('neta.catalog.schema holds the data of %s and no function', name => {
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
    const translated = Object.keys(translation?.parameters ?? {});
    expect(translated.filter(path => !path.includes('.'))).toEqual(Object.keys(properties));
    for (const property of Object.values(properties)) expect(property.description).toBeTruthy();
  });

  it('gives each built-in tool its effect', () => {
    expect(Object.fromEntries(builtinTools().map(tool => [tool.name, tool.effect]))).toEqual({
      bash: 'write',
      read_file: 'read',
      write_file: 'write',
      list_dir: 'read',
      patch: 'write',
      todo: 'idempotent',
      clarify: 'external',
      memory_save: 'write',
      memory_recall: 'read',
      memory_forget: 'write',
      read_skill: 'read',
      read_skill_file: 'read',
      skill_manage: 'write',
      session_search: 'read',
      delegate_task: 'write',
      delegate_parallel: 'write',
      escalate: 'external',
      web_search: 'read',
      fetch_page: 'read',
      crawl_batch: 'read',
      calculator: 'read',
      text_process: 'read',
      json_process: 'read',
      get_weather: 'read',
      current_time: 'idempotent',
      echo: 'read',
      file_read: 'read',
      file_write: 'write',
      file_delete: 'write',
      file_list: 'read',
      file_exists: 'read',
      file_mkdir: 'write',
      search: 'read',
      terminal: 'write',
      cron: 'write',
    });
  });

  it.each([
    ...['bash', 'read_file', 'write_file', 'list_dir', 'patch', 'clarify', 'fetch_page'].map(name => `tools/builtin/${name}`),
    'feature/memory/tools/memory_save',
    'feature/skills/tools/skill_manage',
    'feature/crew/tools/delegate',
  ])('neta.catalog.central sees every tool when %s was loaded before it', file => {
    const framework = jest.requireActual('@midwayjs/core');
    jest.isolateModules(() => {
      // A second copy of the framework would print a warning.
      jest.doMock('@midwayjs/core', () => framework);
      require(`../../src/${file}`);
      const builtin = require('../../src/builtin_tools') as typeof import('../../src/builtin_tools');
      const catalog = require('../../src/tools/catalog') as typeof import('../../src/tools/catalog');
      expect(catalog.getAllToolNames()).toEqual(ALL);
      expect(builtin.builtinTools().map(tool => tool.name)).toEqual(BUILTIN);
    });
  });

  describe('registerSchema', () => {
    const spec = { toolset: 'birds', label: 'Echo', description: 'Says it again', effect: 'read' as const, parameters: { type: 'object' } };

    it('adds a tool, replaces one of the same name and drops its function', () => {
      jest.isolateModules(() => {
        const catalog = require('../../src/tools/catalog') as typeof import('../../src/tools/catalog');
        catalog.registerSchema({ ...spec, name: 'owl' });
        const tool = { ...spec, name: 'parrot', execute: () => {} };
        catalog.registerSchema(tool);
        catalog.registerSchema({ ...spec, name: 'parrot', label: 'Again' });
        catalog.registerSchema({ ...spec, name: 'owl', toolset: 'night' });
        expect(catalog.getSchemasByToolset('birds')).toEqual([{ ...spec, name: 'parrot', label: 'Again' }]);
        expect(catalog.getAllToolNames()).toEqual(['owl', 'parrot']);
      });
    });

    it.each(['', 'a b', 'x'.repeat(65), 'bash\n', 'naïve', '../x'])('refuses the name %j', name => {
      expect(() => registerSchema({ ...spec, name })).toThrow('must match');
    });
  });

  it('is deeply frozen: neta.catalog.schema', () => {
    for (const name of getAllToolNames()) {
      const { parameters } = getSchema(name) as ToolSpec;
      const { properties } = parameters as { properties: Record<string, object> };
      for (const part of [parameters, properties, ...Object.values(properties)]) expect(Object.isFrozen(part)).toBe(true);
    }
  });
});
