import { fromEditable, listArguments, toEditable } from '../../../../web/src/components/calls/approval_arguments';

describe('the arguments of a call that needs approval', () => {
  it('are listed one by one, strings as they are', () => {
    expect(listArguments({ command: 'a\n\tb', timeoutMs: 5 })).toEqual([
      { name: 'command', text: 'a\n\tb', form: 'block' },
      { name: 'timeoutMs', text: '5', form: 'inline' },
    ]);
    expect(listArguments([1])).toEqual([{ name: '', text: '[\n  1\n]', form: 'block' }]);
  });

  it('each have a box of their own when none is long', () => {
    expect(listArguments({ path: 'a', recursive: true }).map(({ form }) => form)).toEqual(['block', 'block']);
  });

  it('show a replacement as a diff, with hidden characters spelled out', () => {
    const replacement = { name: 'travel-plan', old_string: '---\nname: a\n---', new_string: '---\nname: b\u200b\nx: 1\n---' };
    expect(listArguments(replacement)).toEqual([
      { name: 'name', text: 'travel-plan', form: 'inline' },
      { name: 'old_string → new_string', text: ' ---\n-name: a\n+name: b\\u{200b}\n+x: 1\n ---', form: 'diff' },
    ]);
    expect(listArguments({ old_string: 'a\na', new_string: 'a' })[0]?.text).toBe(' a\n-a');
  });

  it('show invisible characters and those that change the direction of writing', () => {
    expect(listArguments({ command: 'ls \u202etxt.\u200b\u001b[0m' })).toEqual([
      { name: 'command', text: 'ls \\u{202e}txt.\\u{200b}\\u{1b}[0m', form: 'block' },
    ]);
  });

  it.each([
    [{ command: 'ls' }, 'rm "x"', { command: 'rm "x"' }],
    [{ path: 'a', recursive: true }, '{ "path": "b" }', { path: 'b' }],
    [{ path: 'a', recursive: true }, '{ "path": ', undefined],
    [{ path: 'a', recursive: true }, '["b"]', undefined],
  ])('%j edited to %j are %j', (args, text, edited) => {
    expect(fromEditable(args, toEditable(args))).toEqual(args);
    expect(fromEditable(args, text)).toEqual(edited);
  });
});
