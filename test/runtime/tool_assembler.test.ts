import { builtinTools } from '../../src/builtin_tools';
import { assembleTools, type WantedTools } from '../../src/runtime/tool_assembler';
import { TOOLSET_DEFAULTS } from '../../src/tools/catalog';
import { textResult } from '../../src/tools/common';
import { aTool } from '../support/runner_bench';

const always = { ...aTool('ping', 'read', async () => textResult('pong')), toolset: 'extra', always: true };
const namesOf = (toolsets: readonly string[], names: readonly string[] = []) =>
  assembleTools([...builtinTools(), always], { toolsets, names }, 'en').names;

describe('the tools of an agent', () => {
  it('include each tool with `always`, whatever the profile lists (beaver.spec)', () => {
    expect(namesOf([])).toEqual(['ping']);
    expect(namesOf(TOOLSET_DEFAULTS)).toContain('ping');
  });

  it('include single tools that the profile names', () => {
    expect(namesOf([], ['calculator'])).toEqual(['ping', 'calculator']);
  });

  describe('with `always` of an MCP server or a manifest (beaver.assembler)', () => {
    const foreign = { ...always, name: 'notes__read', toolset: 'notes', origin: 'mcp' as const };
    const plain = { ...foreign, name: 'notes__write', always: false };
    const available = [...builtinTools(), plain, foreign];
    const chosen = (wanted: Omit<WantedTools, 'toolsets'>, toolsets: string[] = []) =>
      assembleTools(available, { toolsets, ...wanted }, 'en').names;

    it('come first for an agent that may discover them, or whose profile names them', () => {
      expect(chosen({ names: ['calculator'], mayDiscover: () => true })).toEqual(['notes__read', 'calculator']);
      expect(chosen({ names: ['calculator', 'notes__read'] })).toEqual(['notes__read', 'calculator']);
      expect(chosen({}, ['notes'])).toEqual(['notes__read', 'notes__write']);
    });

    it('are no tools of an agent that may not', () => {
      expect(chosen({ names: ['calculator'], mayDiscover: () => false })).toEqual(['calculator']);
      expect(chosen({})).toEqual([]);
    });

    it('give way to the tool that they double', () => {
      const double = { ...foreign, doubles: 'calculator' };
      expect(
        assembleTools([...builtinTools(), double], { toolsets: [], names: ['calculator'], mayDiscover: () => true }, 'en').names,
      ).toEqual(['calculator']);
    });
  });

  it('include no two tools for one job: beside base, the tools of files that double it are left out', () => {
    const both = namesOf(['base', 'files']);
    expect(both).toEqual(
      expect.arrayContaining(['read_file', 'write_file', 'list_dir', 'search', 'file_delete', 'file_exists', 'file_mkdir']),
    );
    for (const name of ['file_read', 'file_write', 'file_list']) {
      expect(both).not.toContain(name);
      expect(namesOf(['files'])).toContain(name);
      expect(namesOf(['base', 'files'], [name])).toContain(name);
    }
  });
});
