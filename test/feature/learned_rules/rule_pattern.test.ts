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
      'git commit -m',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(groupOf('git commit -m a', false)).toBeUndefined();
    const wide = widePattern(bashTool, [{ command: 'git commit -m a' }, { command: 'git commit -m b' }], 'git commit -m');
    const isAllowed = (command: string) => allows(bashTool, wide, { command });
    expect([isAllowed('git commit -m other'), isAllowed('git commit --amend'), isAllowed('git commit -m a; ls')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('a wide pattern of commands', () => {
  const COMMANDS = ['git log src', 'git log docs'];
  const wide = widePattern(
    bashTool,
    COMMANDS.map(command => ({ command })),
    'git log',
  );

  it.each(['git log', 'git log src/a.ts', 'git log v1.2..main'])('allows %s', command => {
    expect(allows(bashTool, wide, { command })).toBe(true);
  });

  it.each([
    'git log > package.json',
    'git log src>package.json',
    'git log --output=package.json',
    'git log "--output=package.json"',
    'git log -p',
    'git log $HOME',
    'git log @file',
    'git log /etc',
    'git log A=b',
    'git logs',
  ])('does not allow %s', command => {
    expect(allows(bashTool, wide, { command })).toBe(false);
  });

  it.each([
    'git submodule foreach sh',
    'git difftool -x sh',
    'git log --output a',
    'npm install x',
    'go build -toolexec x',
    'make test SHELL=x',
    'mvn test a:b:c',
  ])('is not proposed for %s', command => {
    expect(patternsOf(bashTool, { command }, true).group).toBeUndefined();
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
