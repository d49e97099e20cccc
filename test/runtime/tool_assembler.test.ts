import { assembleTools } from '../../src/runtime/tool_assembler';
import { builtinTools, TOOLSET_DEFAULTS } from '../../src/tools/catalog';
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
    expect(namesOf([], ['calculator'])).toEqual(['calculator', 'ping']);
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
