import '../../../src/builtin_tools';
import { listToolRows } from '../../../src/service/tool/tool_listing';
import { ToolRegistry } from '../../../src/tools/registry';

it('gives the reason of the operator for a tool that cannot run anyway', () => {
  const offText = (name: string) => (name === 'read_file' ? 'An operator has switched this tool off.' : undefined);
  const rows = listToolRows(new ToolRegistry(), 'en', { tenantId: 'default', offText });
  const reasonOf = (name: string) => rows.find(row => row.name === name)?.reason;
  expect(reasonOf('read_file')).toBe('An operator has switched this tool off.');
  expect(reasonOf('list_dir')).toMatch(/^This gateway has no service yet/);
});
