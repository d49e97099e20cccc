import { findAll } from '../../src/utils/find_all';

describe('finding words in a text', () => {
  it('counts every place in upper or lower case and tells the first of them', async () => {
    expect(await findAll('One one\nONE, o.e', 'one', 2)).toEqual({ count: 3, offsets: [0, 4] });
    expect(await findAll('a.b aXb (a.b)', 'a.b', 10)).toEqual({ count: 2, offsets: [0, 9] });
    expect(await findAll('İİ istanbul', 'istanbul', 10)).toEqual({ count: 1, offsets: [3] });
    expect(await findAll('aaaa', 'aa', 10)).toEqual({ count: 2, offsets: [0, 2] });
    expect(await findAll('text', '', 10)).toEqual({ count: 0, offsets: [] });
  });

  it('finds words that lie over two parts of a long text, each once', async () => {
    const gap = 'x'.repeat(64 * 1024 - 3);
    const text = `${gap}needle${gap}needle`;
    expect(await findAll(text, 'Needle', 10)).toEqual({ count: 2, offsets: [gap.length, 2 * gap.length + 6] });
  });
});
