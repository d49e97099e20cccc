import { toPlainText } from '../../../web/src/markdown/plain_text';
import { cpuTime } from '../../support/cpu_time';

it.each([
  ['This is the result:\n\n~~~text\na/\n~~~', 'This is the result:\n\n\na/'],
  ['## Files\n- **two** of `them`\n> [here](http://x.test/a)', 'Files\ntwo of them\nhere'],
  ['…entries ~~~ To work, **connect a model**. Stop', '…entries  To work, connect a model. Stop'],
  ['2 * 3 * 4 and snake_case_name, ~5 - 6', '2 * 3 * 4 and snake_case_name, ~5 - 6'],
  ['**half of a mark', '**half of a mark'],
])('%j is shown as %j', (markdown, text) => {
  expect(toPlainText(markdown)).toBe(text);
});

it('takes a time that is proportional to the text', () => {
  for (const piece of ['**a', '[', '`', '~~~', '> ', '__ ', '![a](']) {
    const begin = cpuTime();
    toPlainText(piece.repeat(2_000));
    expect(cpuTime() - begin).toBeLessThan(250);
  }
});
