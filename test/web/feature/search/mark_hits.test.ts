import { hitWords, markHits } from '../../../../web/src/feature/search/mark_hits';

const marked = (text: string, query: string): string =>
  markHits(text, query)
    .map(segment => (segment.isHit ? `[${segment.text}]` : segment.text))
    .join('');

describe('the marks in a search result', () => {
  it.each([
    ['Deploy the Harbour plan', 'harbour PLAN', 'Deploy the [Harbour] [plan]'],
    ['chatty chats', 'chat chats', '[chat]ty [chats]'],
    ['a.b and aXb', 'a.b', '[a].[b] [a]nd [a]X[b]'],
    ['Straße (2)', '(2)', 'Straße ([2])'],
    ['每天早上备份数据库', '备份', '每天早上[备份]数据库'],
    ['nothing here', '', 'nothing here'],
    ['nothing here', '*** ---', 'nothing here'],
    ['', 'x', ''],
  ])('in %j for %j', (text, query, expected) => expect(marked(text, query)).toBe(expected));

  it('marks pairs of Chinese characters when the whole word does not occur', () => {
    expect(marked('数据的备份在周五', '数据备份')).toBe('[数据]的[备份]在周五');
    expect(marked('数据备份和数据', '数据备份')).toBe('[数据备份]和数据');
  });

  it('loses and adds no character, whatever the text and the query are', () => {
    const text = '<b>&amp; 👩‍💻 İstanbul ﬁ\n数据';
    for (const query of ['İ', 'i', 'fi', '<b>', '👩', '数据 据', '.*']) {
      expect(
        markHits(text, query)
          .map(segment => segment.text)
          .join(''),
      ).toBe(text);
    }
  });

  it('names each different hit once, as it stands in the text', () => {
    expect(hitWords('Plan the plan, plan', 'plan')).toEqual(['Plan', 'plan']);
  });
});
