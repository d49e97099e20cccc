import { countChanges, readDiff } from '../../../../web/src/components/basic/diff_lines';

const DIFF = `--- a/notes.txt
+++ b/notes.txt
@@ -3,3 +3,4 @@
 one
-the old harbour
+the new harbour
+and a light
 two
@@ -20 +21 @@
-x
+y
`;

describe('the lines of a diff', () => {
  it('have the numbers of their file, without the lines that name files and positions', () => {
    expect(readDiff(DIFF).map(({ kind, number, text }) => [kind, number, text])).toEqual([
      ['context', 3, ' one'],
      ['removed', 4, '-the old harbour'],
      ['added', 4, '+the new harbour'],
      ['added', 5, '+and a light'],
      ['context', 6, ' two'],
      ['gap', undefined, ''],
      ['removed', 20, '-x'],
      ['added', 21, '+y'],
    ]);
    expect(countChanges(DIFF)).toEqual({ added: 3, removed: 2 });
  });

  it('mark the words that differ, and whole lines that have little in common not at all', () => {
    const marks = readDiff(DIFF).map(({ text, changed }) => changed && text.slice(...changed));
    expect(marks).toEqual([undefined, 'old', 'new', undefined, undefined, undefined, undefined, undefined]);
    expect(readDiff('-nothing alike\n+something quite other').every(({ changed }) => changed === undefined)).toBe(true);
  });

  it('have no numbers when the diff does not say where they stand', () => {
    expect(readDiff('-a\n+b').map(({ number }) => number)).toEqual([undefined, undefined]);
  });
});
