import { fromEditable, listArguments, toEditable } from '../../../web/src/components/approval_arguments';

describe('the arguments of a call that waits for a yes', () => {
  it('are shown one by one, texts as they are', () => {
    expect(listArguments({ command: 'a\n\tb', timeoutMs: 5 })).toEqual([
      { name: 'command', text: 'a\n\tb' },
      { name: 'timeoutMs', text: '5' },
    ]);
    expect(listArguments([1])).toEqual([{ name: '', text: '[\n  1\n]' }]);
  });

  it('cannot hide behind characters that are invisible or turn the direction of the text', () => {
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
