import { titleFrom } from '../../../src/service/session/session_title';

const LONG_WORD = 'x'.repeat(80);
const NO_COMMA = 'Read the whole manual of the old machine in the cellar here';

describe('the title of a session', () => {
  it.each([
    ['a short message as it is', '  List the files \nand more', 'List the files'],
    [
      'its first sentences',
      'Fix the failing test. Then tell me why it failed and what else may fail in this way.',
      'Fix the failing test.',
    ],
    ['its first Chinese sentences', `请修复失败的测试。${'然后说明它为什么失败以及哪些地方会出错'.repeat(4)}。`, '请修复失败的测试。'],
    [
      'its first words with an ellipsis when one sentence is too long',
      'Make a small project, ask me for a greeting and put it into the code, please',
      'Make a small project, ask me for a greeting and put it into…',
    ],
    ['more than a list number', `1. ${NO_COMMA}, then sum it up`, '1. Read the whole manual of the old machine in the cellar…'],
    ['more than an abbreviation', `Dr. Smith asked me. ${NO_COMMA}`, 'Dr. Smith asked me.'],
    ['more than a greeting', `Hi! ${NO_COMMA}, then sum it up`, 'Hi! Read the whole manual of the old machine in the cellar…'],
    ['without a comma before the ellipsis', `${NO_COMMA}, then sum it up`, `${NO_COMMA}…`],
    ['a part of one long word', LONG_WORD, `${LONG_WORD.slice(0, 59)}…`],
    ['empty for an empty message', ' \n ', ''],
  ])('is %s', (_, text, title) => {
    expect(titleFrom(text)).toBe(title);
    expect([...titleFrom(text)].length).toBeLessThanOrEqual(60);
  });

  it('keeps emoji and Chinese words whole', () => {
    expect(titleFrom(`${'工作区'.repeat(19)}👩‍💻👩‍💻 整理一下`)).toMatch(/^(工作区)+(👩‍💻)*…$/u);
  });
});
