import { fromEditable, listArguments, toEditable } from '../../../web/src/components/approval_arguments';

describe('the arguments of a call that needs approval', () => {
  it('are listed one by one, strings as they are', () => {
    expect(listArguments({ command: 'a\n\tb', timeoutMs: 5 })).toEqual([
      { name: 'command', text: 'a\n\tb' },
      { name: 'timeoutMs', text: '5' },
    ]);
    expect(listArguments([1])).toEqual([{ name: '', text: '[\n  1\n]' }]);
  });

  it('show invisible characters and those that change the direction of writing', () => {
    expect(listArguments({ command: 'ls \u202etxt.\u200b\u001b[0m' })).toEqual([
      { name: 'command', text: 'ls \\u{202e}txt.\\u{200b}\\u{1b}[0m' },
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
