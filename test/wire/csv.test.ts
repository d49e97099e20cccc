import { toCsv } from '../../src/wire/csv';

test('quotes what has commas, quotes and line breaks, and leaves missing values empty', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['x,y', 'say "hi"'],
        ['two\nlines', undefined],
        [1.5, -2],
      ],
    ),
  ).toBe('a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",\r\n1.5,-2\r\n');
});

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('a spreadsheet reads %j as a text', text => {
  expect(toCsv(['a'], [[text]])).toMatch(/^a\r\n"?'/);
});
