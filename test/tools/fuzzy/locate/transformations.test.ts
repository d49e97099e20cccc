import { FENCES, TRANSFORMATIONS } from '../../../../src/tools/fuzzy/locate/transformations';

function undo(name: string, text: string): string | undefined {
  return [...TRANSFORMATIONS, FENCES].find(respelling => respelling.name.en === name)?.undo(text);
}

describe('neta.patch.nine: escape_normalized', () => {
  it.each([
    ['JSON escapes', 'a\\n\\"b\\" \\\\d \\u00e9', 'a\n"b" \\d \u00e9'],
    ['escaped white space', 'a\\n\\tb\\\\n', 'a\n\tb\\\\n'],
    ['escaped white space outside strings', "a('x\\ny')\\n  b(); // don't\\nc", "a('x\\ny')\n  b(); // don't\nc"],
    ['escaped quotes', 'a(\\"b\\", \\\'c\\\')', 'a("b", \'c\')'],
    ['doubled backslashes', '/\\\\d+/', '/\\d+/'],
    ['all escapes', '\\u0041\\n\\"', 'A\n"'],
    ['HTML entities', '&lt;a&gt; &amp;&amp; &quot;b&quot; &#39;&#x41;', '<a> && "b" \'A'],
    ['line numbers', '   9\ta\n  10\t  b\n\n  11\tc', 'a\n  b\n\nc'],
    ['Markdown fences', '```ts\na();\n  b();\n```\n', 'a();\n  b();'],
  ])('undoes %s', (name, spelled, plain) => {
    expect(undo(name, spelled)).toBe(plain);
  });

  it('rejects text that is not the body of a JSON string', () => {
    expect(undo('JSON escapes', 'a "b"\\n')).toBeUndefined();
    expect(undo('JSON escapes', 'a\nb')).toBeUndefined();
  });

  it('removes leading numbers only when they increase like line numbers', () => {
    expect(undo('line numbers', '9: a\n3: b\n2: c')).toBe('9: a\n3: b\n2: c');
  });

  it('leaves an entity with an invalid code point alone', () => {
    expect(undo('HTML entities', '&#9999999;')).toBe('&#9999999;');
  });
});
