import {
  asOnTerminal,
  findLines,
  indentedJson,
  leftOutOf,
  withoutColours,
  withoutStatus,
} from '../../../../web/src/components/result/result_text';

describe('the result of a call', () => {
  it('shows a command without the line of its exit code, in both languages', () => {
    expect(withoutStatus('Exit code 0 (0.8 s)\n30')).toBe('30');
    expect(withoutStatus('退出码 1（0.8 s）\n没有')).toBe('没有');
    expect(withoutStatus('Killed after 100 ms\nx')).toBe('Killed after 100 ms\nx');
  });

  it('indents a JSON object or list, and leaves other text alone', () => {
    expect(indentedJson(' {"a":[1]} ')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect([indentedJson('{"a":'), indentedJson('"a"'), indentedJson('12')]).toEqual([undefined, undefined, undefined]);
  });

  it('says how many characters are left out', () => {
    expect(leftOutOf('a\n[... 220914 characters left out ...]\nb')).toBe(220_914);
    expect(leftOutOf('a\n[... 省略 12 个字符 ...]\nb')).toBe(12);
    expect(leftOutOf('whole')).toBe(0);
  });

  it('shows the last text of a line that was written again, with and without colours', () => {
    expect(asOnTerminal('10 %\r50 %\r100 %\r\ndone\r\n')).toBe('100 %\ndone\n');
    expect(asOnTerminal('\u001b[2K\u001b[1G\u001b[32mok\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007')).toBe(
      '\u001b[32mok\u001b[0m link',
    );
  });

  it('finds words that colours split', () => {
    const output = withoutColours(asOnTerminal('\u001b[1;31merr\u001b[0mor \u001b[38;5;9mhere\u001b[m'));
    expect(findLines(output, 'error here')).toEqual([{ number: 1, line: 'error here' }]);
  });

  it('finds lines with their numbers', () => {
    expect(findLines('One\ntwo\nno one', 'ONE')).toEqual([
      { number: 1, line: 'One' },
      { number: 3, line: 'no one' },
    ]);
  });
});
