import { joinSentences } from '../../../web/src/i18n/join_sentences';

it('puts a blank between English sentences and none between Chinese ones, and leaves out what is missing', () => {
  expect(joinSentences('en', 'One.', undefined, false, '', 'Two.')).toBe('One. Two.');
  expect(joinSentences('zh-CN', '第一句。', undefined, '第二句。')).toBe('第一句。第二句。');
});
