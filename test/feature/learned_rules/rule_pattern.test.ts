import { RE2JS } from 're2js';
import { patternsOf, widePattern } from '../../../src/feature/learned_rules/rule_pattern';
import { matchesRule } from '../../../src/runtime/approval/approval_policy';
import { bashTool } from '../../../src/tools/builtin/bash';
import { readFileTool } from '../../../src/tools/builtin/read_file';
import { writeFileTool } from '../../../src/tools/builtin/write_file';
import type { AgentTool } from '../../../src/tools/common';

const allows = (tool: AgentTool, pattern: string | undefined, args: unknown): boolean =>
  pattern !== undefined && matchesRule({ tool: tool.name, pattern: RE2JS.compile(pattern), decision: 'allow' }, { tool, args });

describe('the pattern of a command', () => {
  it.each(['npm test', 'grep -n "a.b" notes.txt'])('allows %s again and nothing longer', command => {
    const { exact } = patternsOf(bashTool, { command }, false);
    const isAllowed = (line: string) => allows(bashTool, exact, { command: line });
    expect([isAllowed(command), isAllowed(`${command} more`), isAllowed(`${command} && rm x`), isAllowed(`sudo ${command}`)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it.each(['npm test > out', 'echo $HOME', 'echo `id`', 'npm ci && npm test', 'cat <<x\nx'])('does not exist for %s', command => {
    expect(patternsOf(bashTool, { command }, true)).toEqual({});
  });

  it('is wide only for a known subcommand in a sandbox', () => {
    const groupOf = (command: string, isIsolated = true) => patternsOf(bashTool, { command }, isIsolated).group;
    expect(['git commit -m a', 'npm run x', 'git push', 'cat notes', 'python3 a.py'].map(line => groupOf(line))).toEqual([
      'git commit',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(groupOf('git commit -m a', false)).toBeUndefined();
    const wide = widePattern(bashTool, [{ command: 'git commit -m a' }, { command: 'git commit -m b' }], 'git commit');
    const isAllowed = (command: string) => allows(bashTool, wide, { command });
    expect([isAllowed('git commit -m other'), isAllowed('git commit --amend'), isAllowed('git commit -m a; ls')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('the pattern of a path', () => {
  it('allows files below the folder, and no other path however the content is written', () => {
    const { group } = patternsOf(writeFileTool, { path: 'src/lib/a.ts', content: 'x' }, true);
    const isAllowed = (path: string, content = '') => allows(writeFileTool, group, { path, content });
    expect([isAllowed('src/lib/b.ts'), isAllowed('src/lib/deep/b.ts')]).toEqual([true, true]);
    const others = ['src/b.ts', 'src/lib/../../b.ts', 'src/lib/.env', '../src/lib/b.ts', 'x/src/lib/b.ts'];
    expect(others.map(path => isAllowed(path))).toEqual(others.map(() => false));
    expect(isAllowed('b.ts', '"path":"src/lib/a.ts"')).toBe(false);
  });

  it('stands for one file of a tool that reads, because a folder may get files with keys', () => {
    const { exact, group } = patternsOf(readFileTool, { path: 'notes/a.md' }, true);
    expect([allows(readFileTool, exact, { path: 'notes/a.md' }), group]).toEqual([true, undefined]);
  });
});
