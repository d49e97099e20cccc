import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileDeleteTool } from '../../src/tools/builtin/file_delete';
import { fileExistsTool } from '../../src/tools/builtin/file_exists';
import { fileListTool } from '../../src/tools/builtin/file_list';
import { fileMkdirTool } from '../../src/tools/builtin/file_mkdir';
import { fileReadTool } from '../../src/tools/builtin/file_read';
import { fileWriteTool } from '../../src/tools/builtin/file_write';
import { searchTool } from '../../src/tools/builtin/search';
import { openToolBench, type ToolBench } from '../support/tool_context';

let bench: ToolBench;
beforeEach(async () => {
  bench = await openToolBench();
});
afterEach(() => bench.close());

describe('file tools (nanoclaw.file)', () => {
  it.each(['../out', '/etc/passwd', 'a/../../out', 'nul\0byte', 'leak/passwd'])(
    'refuse the path %j, which leads out of the workspace',
    async path => {
      await symlink('/etc', join(bench.root, 'leak'));
      const outside = { ok: false, details: { code: 'outside' } };
      expect(await bench.call(fileReadTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileWriteTool, { path, content: 'x', mode: 'append' })).toMatchObject(outside);
      expect(await bench.call(fileDeleteTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileExistsTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileMkdirTool, { path })).toMatchObject(outside);
      expect(await bench.call(fileListTool, { path })).toMatchObject(outside);
      expect(await bench.call(searchTool, { path, pattern: 'root' })).toMatchObject(outside);
    },
  );
});
