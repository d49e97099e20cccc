import { stripMarkup } from '../../../src/adapter/web/markup_text';
import { isParseable } from '../../../src/adapter/web/parse_limits';

describe('stripMarkup', () => {
  it('puts each block on a line and leaves out comments, scripts and other elements without text', () => {
    const html =
      '<!doctype html><title>T</title><h1>Head</h1><!-- no --><p>one <b>two</b><br>three</p><script>if (a<b) "</p>"</script>' +
      '<table><tr><td>a<td>b</table><svg><text>no</text></svg><select><option>no</select>end';
    expect(stripMarkup(html)).toBe('T\n\nHead\n\none two\nthree\n\na b\nend');
  });

  it('decodes named, decimal and hexadecimal entities, also without a semicolon', () => {
    expect(stripMarkup('caf&eacute; &hellip; &#20013;&#x6587; &amp;lt; &copy 2026 &nosuch; &')).toBe('café … 中文 &lt; © 2026 &nosuch; &');
  });

  it('reads an attribute that holds > as part of its tag', () => {
    expect(stripMarkup('<a title="a > b" href=x>link</a>')).toBe('link');
  });

  it('keeps < that starts no tag', () => {
    expect(stripMarkup('<p>1 < 2 <3')).toBe('1 < 2 <3');
  });

  it('goes on after an empty svg element', () => {
    expect(stripMarkup('a <svg/> b')).toBe('a b');
  });
});

describe('isParseable', () => {
  it.each([
    ['an ordinary page', `<body>${'<p>text <a href="x">link</a></p>'.repeat(1_000)}`, true],
    ['paragraphs that are not closed', '<p>a<li>b'.repeat(1_000), true],
    ['tags inside a script', `<script>${'"<div>"'.repeat(1_000)}</script>`, true],
    ['more than 30,000 elements', '<b></b>'.repeat(30_001), false],
    ['elements nested more than 250 deep', '<div>'.repeat(251), false],
    ['a tag of more than 20,000 characters', `<a ${'x '.repeat(10_001)}>`, false],
    ['a tag of that length that does not end', `<a ${'x '.repeat(10_001)}`, false],
  ])('%s', (_name, html, isExpected) => {
    expect(isParseable(html)).toBe(isExpected);
  });
});
