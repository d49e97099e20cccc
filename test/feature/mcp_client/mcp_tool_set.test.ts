/** Which tools of a server's list are taken, and how `always` marks them. */
import type { McpServerConfig } from '../../../src/feature/mcp_client/mcp_config';
import { McpToolSet } from '../../../src/feature/mcp_client/mcp_tool_set';
import { textResult } from '../../../src/tools/common';

const listed = ['read', 'write', 'move'].map(name => ({ name, inputSchema: { type: 'object' }, needsTask: false }));

function build(config: Partial<McpServerConfig>) {
  const set = new McpToolSet({ name: 'files', deny: [], always: false, effect: 'read', ...config }, async () => textResult('done'));
  const { entries, problems } = set.build({ tools: listed, isCut: false });
  return { always: entries.filter(entry => 'always' in entry && entry.always).map(({ name }) => name), problems };
}

describe('always of a server (beaver.assembler)', () => {
  it.each<[McpServerConfig['always'], Partial<McpServerConfig>, string[], string[]]>([
    [false, {}, [], []],
    [true, {}, ['files__read', 'files__write', 'files__move'], []],
    [true, { deny: ['move'], allow: ['read', 'move'] }, ['files__read'], []],
    [['read'], {}, ['files__read'], []],
    [['move', 'read'], { deny: ['move'] }, ['files__read'], ['always names "move", which allow or deny leaves out.']],
    [['write'], { allow: ['read'] }, [], ['always names "write", which allow or deny leaves out.']],
    [['files__read'], {}, [], ['allow, deny or always names "files__read", which the server does not offer.']],
  ])('%j with %j marks %j', (always, config, marked, problems) => {
    expect(build({ always, ...config })).toEqual({ always: marked, problems });
  });
});
