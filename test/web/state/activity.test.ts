import fc from 'fast-check';
import { isMiss, isQuiet, isShownAsPlan } from '../../../web/src/state/activity';
import type { ToolItem } from '../../../web/src/state/view_types';

const failed = (fields: Partial<ToolItem>): ToolItem => ({
  ...{ kind: 'tool', id: '1', toolCallId: '1', name: 'bash', label: '', args: {}, state: 'failed', output: '' },
  ...fields,
});

/** A command that ended with exit code 1 or the one given. */
const ended = (command: string, result = '', exitCode = 1): ToolItem => failed({ args: { command }, result, details: { exitCode } });

/** Commands that only ask. */
const QUESTIONS = [
  'grep -q "light; house" here.txt',
  "rg 'a > b' src",
  'cat missing.txt 2>/dev/null | grep x',
  'cd src && find . -name "*.ts" -not -path "./x" | sort | head -3',
  'test -f a.txt || test -f b.txt',
  'grep -r "x" . > /dev/null 2>&1',
  'ls missing 2>&1 | head -5',
  'command -v node',
  'diff a b; echo "$?"',
  'wc -l < a.txt; grep x \\\n  a.txt',
];

/** Commands and parts of commands that change files or run another program. */
const CHANGES = [
  'cat a b > out.txt',
  'cat a >out.txt',
  'cat a >> out.txt',
  'cat a &> out.txt',
  'cat a 2> errors.txt',
  'cat a > /dev/null.txt',
  'cat a >&2.txt',
  'echo x > f && cat f',
  'cat a | tee b',
  "sed -i 's/a/b/' f && grep a f",
  'find . -exec npm test {} +',
  'find . -name x -execdir rm {} ;',
  'find . -delete',
  'find . "-delete"',
  'find . -fprint out.txt',
  'command npm test',
  'grep -l x . | xargs rm',
  'awk \'BEGIN { system("npm test") }\'; test -f a',
  'npm test & grep x a',
  'npm test\ngrep x a',
  'npm test && grep x a',
  'grep "$(npm test)" a',
  'grep `npm test` a',
  'diff <(npm test) a',
  'diff a >(npm test)',
  'cat <<END | grep x\nEND',
  'grep x a; sort -o a a',
  'cat a; uniq a b',
  'rg --pre ./run.sh x',
];

describe('failed calls', () => {
  it.each(QUESTIONS)('found nothing: %s', command => expect(isMiss(ended(command))).toBe(true));

  it.each(CHANGES)('failed: %s', command => expect(isMiss(ended(command))).toBe(false));

  it('failed whenever a part of the command changes something, whatever stands around it', () => {
    const part = fc.constantFrom(...QUESTIONS);
    const joint = fc.constantFrom(' && ', ' || ', '; ', '\n', ' & ');
    fc.assert(
      fc.property(part, part, joint, joint, fc.constantFrom(...CHANGES), (before, after, first, second, change) => {
        expect(isMiss(ended(before + first + after))).toBe(true);
        expect(isMiss(ended([before, change, after].join(first)))).toBe(false);
        expect(isMiss(ended(before + first + change + second + after))).toBe(false);
      }),
    );
  });

  it('failed when the program could not do its work', () => {
    expect(isMiss(ended('cat a', 'cat: a: No such file or directory'))).toBe(true);
    expect(isMiss(ended('ls a', "ls: cannot access 'a': No such file or directory", 2))).toBe(true);
    expect(isMiss(ended('grep x a', 'grep: unmatched [', 2))).toBe(false);
    for (const result of ['cat: a: Permission denied', 'echo: write error: No space left on device', 'cat: a: Input/output error']) {
      expect(isMiss(ended('cat a', result))).toBe(false);
    }
    expect(isMiss(ended('grep x a', '', 127))).toBe(false);
  });

  it('found nothing when a read file is missing, and failed when a file to change is missing', () => {
    const details = { code: 'not_found' };
    expect(isMiss(failed({ name: 'read_file', details }))).toBe(true);
    expect(['patch', 'file_delete', 'memory_forget', 'cron'].filter(name => isMiss(failed({ name, details })))).toEqual([]);
  });

  it('stand outside the line of quiet work, and a refused plan has a card', () => {
    expect([isQuiet(ended('grep x a')), isQuiet(ended('cat a > b')), isQuiet(failed({ name: 'read_file' }))]).toEqual([true, false, false]);
    expect([isShownAsPlan(failed({ name: 'todo' })), isShownAsPlan(failed({ name: 'todo', state: 'ok' }))]).toEqual([false, true]);
  });
});
