import type { PatchRefusal } from '../../../src/port/patch_engine';
import type { PatchSuccess } from '../../../src/tools/fuzzy/types';
import { applyPatch, fuzzyFindAll } from '../../../src/tools/fuzzy_match';

const FILE = `import { readFile } from "node:fs";

// Reads the settings and merges them.
export function loadSettings(path, defaults) {
  const text = readFile(path, "utf8");
  const parsed = parseSettings(text);
  if (parsed.errors.length > 0) report(parsed.errors);
  const limit = 30;
  // The caller decides what is missing.
  return { ...defaults, ...parsed.values, limit };
}

export function saveSettings(path, values) {
  const text = formatSettings(values);
  writeFile(path, text, "utf8");
  return values;
}
`;
const LINES = FILE.split('\n');
/** The body of loadSettings, first line to last. */
const BODY = LINES.slice(3, 11);

function edit(change: (line: string) => string, quoted: readonly string[] = BODY, file = FILE) {
  return applyPatch(file, quoted.join('\n'), quoted.map(change).join('\n'));
}

const reports = (line: string): string => line.replace('report(parsed.errors)', 'throw reportOf(parsed.errors)');
const EDITED = FILE.replace('report(parsed.errors)', 'throw reportOf(parsed.errors)');

function written(result: PatchSuccess | PatchRefusal): PatchSuccess {
  if (!result.ok) throw new Error(`${result.code}: ${result.error}`);
  return result;
}

function refusalOf(result: PatchSuccess | PatchRefusal): string {
  return result.ok ? `written by ${result.strategy}` : result.code;
}

describe('neta.patch.nine: a misquoted context line', () => {
  it.each([
    ['with other names', 4, '  const content = readText(path, options);', 'block_anchor'],
    ['with another comment', 8, '  // See the notes on caching.', 'block_anchor'],
    ['with other quotes', 4, "  const text = readFile(path, 'utf8');", 'block_anchor'],
    ['without its semicolon', 5, '  const parsed = parseSettings(text)', 'block_anchor'],
    ['with a comma at its end', 5, '  const parsed = parseSettings(text),', 'block_anchor'],
    ['with another letter case in a comment', 8, '  // the Caller decides what is missing.', 'block_anchor'],
    ['with a comment in other words', 8, '  // What is missing is up to the caller, not to us.', 'block_anchor'],
    ['with two letters swapped', 5, '  const parsed = parseSettigns(text);', 'block_anchor'],
    ['with a doubled capital', 5, '  const parsed = parseSSettings(text);', 'block_anchor'],
  ])('is accepted %s, and the line of the file stays', (_, index, line, strategy) => {
    const result = written(edit(reports, LINES.with(index, line).slice(3, 11)));
    expect(result.content).toBe(EDITED);
    expect(result.strategy).toBe(strategy);
  });

  it('keeps the line of the file when text is added right after it', () => {
    const quoted = LINES.with(5, '  const outcome = await parseEverything(text, options);').slice(3, 11);
    const result = applyPatch(FILE, quoted.join('\n'), quoted.toSpliced(3, 0, '  check(parsed);').join('\n'));
    expect(written(result).content).toBe(LINES.toSpliced(6, 0, '  check(parsed);').join('\n'));
  });

  it('is accepted in a block with three of five inner lines similar', () => {
    const quoted = LINES.with(4, '  const content = load(path);').with(8, '  somethingElse();').slice(3, 11);
    const [match] = fuzzyFindAll(FILE, quoted.join('\n'));
    expect(match).toMatchObject({ strategy: 'block_anchor', matchedText: BODY.join('\n') });
  });

  it.each([
    ['an extra first line', ['// Entry point of the module.', ...LINES.slice(4, 8)]],
    ['an extra last line', [...LINES.slice(4, 8), '  cache.set(path, parsed);']],
    ['an extra inner line', LINES.slice(3, 11).toSpliced(2, 0, '  validateInput(options);')],
  ])('is accepted next to %s', (_, quoted) => {
    expect(written(edit(reports, quoted)).content).toBe(EDITED);
  });

  it.each([
    ['a number', 7, '  const limit = 20;'],
    ['a string', 4, '  const text = readFile(path, "latin1");'],
    ['a number in a name', 7, '  const limit2 = 30;'],
  ])('is refused when it has %s that the file no longer has', (_, index, line) => {
    expect(refusalOf(edit(reports, LINES.with(index, line).slice(3, 11)))).toBe('no_match');
  });

  it('is refused when two places differ only in that line', () => {
    const twin = BODY.map(line => line.replace('parseSettings(text)', 'readEverything(path)'));
    const quoted = LINES.with(5, '  const parsed = await other.source(context);').slice(3, 11);
    expect(refusalOf(edit(reports, quoted, `${FILE}\n${twin.join('\n')}\n`))).toBe('ambiguous');
  });

  it('is refused when it is the line that the edit changes', () => {
    const quoted = LINES.with(6, '  if (failed(parsed)) report(parsed.errors);').slice(3, 11);
    expect(refusalOf(edit(reports, quoted))).toBe('conflict');
  });

  it('is refused when the edit changes its indentation', () => {
    const quoted = LINES.with(5, '  const outcome = await parseEverything(text, options);').slice(3, 11);
    expect(refusalOf(edit(line => line.replace(/^ {2}(?=const outcome)/, '    '), quoted))).toBe('conflict');
  });
});

describe('neta.patch.result: quotes of another kind', () => {
  const swap = (text: string): string => text.replaceAll('"', "'");

  it('writes added text with the quotes of the file', () => {
    const quoted = BODY.map(swap);
    const result = applyPatch(FILE, quoted.join('\n'), quoted.join('\n').replace("'utf8');", "'utf16', 'strict');"));
    expect(written(result).content).toBe(FILE.replace('"utf8");', '"utf16", "strict");'));
  });

  it('refuses an added line that needs both kinds', () => {
    const quoted = BODY.map(swap);
    const result = applyPatch(FILE, quoted.join('\n'), quoted.join('\n').replace("'utf8');", `'say "utf8"');`));
    expect(refusalOf(result)).toBe('conflict');
  });
});

describe('neta.patch.nine: a quotation with omitted lines', () => {
  const around = (marker: string): string[] => [LINES[3]!, LINES[4]!, marker, LINES[9]!, LINES[10]!];
  const returns = (line: string): string => line.replace('limit }', 'limit, path }');
  const returned = FILE.replace('limit }', 'limit, path }');

  it.each(['...', '  // ... existing code ...', '/* ... */', '# ...', '\u2026', '  // ... rest of the function'])(
    'is found by its two ends and keeps the omitted lines: %s',
    marker => {
      const result = written(edit(returns, around(marker)));
      expect(result.content).toBe(returned);
      expect(result.strategy).toBe('block_anchor');
    },
  );

  it.each([
    ['replaces the marker', (lines: string[]) => lines.with(2, '  doItAll();')],
    ['removes the marker', (lines: string[]) => lines.toSpliced(2, 1)],
    ['writes next to the marker', (lines: string[]) => lines.toSpliced(2, 0, '  inserted();')],
  ])('is refused when the edit %s', (_, change) => {
    const quoted = around('  // ... existing code ...');
    expect(refusalOf(applyPatch(FILE, quoted.join('\n'), change(quoted).join('\n')))).toBe('conflict');
  });

  it('is refused when neither end is unique in the file', () => {
    expect(refusalOf(edit(returns, around('...'), `${FILE}\n${FILE}`))).not.toMatch(/written/);
  });
});

describe('neta.patch.result: white space and escapes that the quotation lacks', () => {
  it('keeps trailing blanks, also of a replaced line', () => {
    const file = 'alpha();  \nbeta();\t\ngamma();  \n';
    expect(written(applyPatch(file, 'alpha();\nbeta();\ngamma();', 'alpha();\ndelta(1);\ngamma();')).content).toBe(
      'alpha();  \ndelta(1);\t\ngamma();  \n',
    );
  });

  it('gives every replacement the line end of the line it replaces', () => {
    const file = 'alpha();\r\nbeta();\ngamma();\r\ndelta();\n';
    const next = 'alpha();\nfirst(1);\nsecond(2);\ndelta();\n';
    expect(written(applyPatch(file, 'alpha();\nbeta();\ngamma();\ndelta();\n', next)).content).toBe(
      'alpha();\r\nfirst(1);\nsecond(2);\r\ndelta();\n',
    );
  });

  it('writes when every overlapping match gives the same file', () => {
    const file = 'a();\nsame();\nsame();\nsame();\nb();\n';
    expect(written(applyPatch(file, 'same();\nsame();\n', 'same();\n')).content).toBe('a();\nsame();\nsame();\nb();\n');
  });

  it('refuses added quotes where old_string lost its backslashes, and writes added text without quotes', () => {
    const file = 'const usage = "say \\"hi\\" to\\tall";\nprint(usage);\ndone();\n';
    const old = 'const usage = "say "hi" to\tall";\nprint(usage);\ndone();\n';
    expect(refusalOf(applyPatch(file, old, old.replace('done();', 'log("bye "all"");')))).toBe('conflict');
    expect(written(applyPatch(file, old, old.replace('done();', 'finish(usage);'))).content).toBe(
      file.replace('done();', 'finish(usage);'),
    );
  });
});

describe('neta.patch.result: escapes of a string that were undone once too often', () => {
  const file = "  if (last) {\n    last.raw += '\\n' + token.raw;\n    last.text += '\\n' + token.text;\n  }\n";
  const quoted = file.replaceAll('\\n', '\n');

  it('writes an added line without quotes', () => {
    expect(written(applyPatch(file, quoted, `${quoted}done()\n`)).content).toBe(`${file}done()\n`);
  });

  // An added line with quotes may stand inside the string, where they need escapes that the model left out.
  it.each([
    ['a script in JSON', '{\n  "c": "import os\\nrun()"\n}\n', 'run()', 'log("x")\nrun()'],
    ['JSON in a command', 'echo "{\n  \\"b\\": \\"2\\"\\n}"\n', '"b": "2"', '"b": "2",\n  "c": "3"'],
    ['code in JSON', '{"code": "foo(\\"bar\\")\\nend()"}\n', 'end()', 'say("hi")\nend()'],
    ['a line after the string', file, '  }\n', "    log('done');\n  }\n"],
  ])('refuses an added line with quotes: %s', (_, content, before, after) => {
    const old = content.replaceAll('\\n', '\n').replaceAll('\\"', '"');
    expect(refusalOf(applyPatch(content, old, old.replace(before, after)))).toBe('conflict');
  });

  it('refuses to change a line that has escapes itself', () => {
    const added = quoted.replace("' + token.text", "' + token.text + 'end'");
    expect(refusalOf(applyPatch(file, quoted, added))).toBe('conflict');
  });

  it('checks a long added line in time that is linear in its length', () => {
    const began = process.cpuUsage();
    written(applyPatch(file, quoted, `${quoted}list(${'a,'.repeat(16_000)}b)\n`));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1_000).toBeLessThan(5_000);
  });

  it('refuses a line break inside such a string', () => {
    const inString = "  log('one\\ntwo' + end);\n  finish();\n";
    const old = inString.replaceAll('\\n', '\n');
    expect(refusalOf(applyPatch(inString, old, old.replace('one\n', 'one\nmiddle\n')))).toBe('conflict');
  });
});

describe('neta.patch.result: invalid arguments', () => {
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
    ['an object', { text: 'x' }],
    ['half a character', '\ud83d'],
  ])('refuses %s as any argument and never throws', (_, odd) => {
    const call = applyPatch as (...args: unknown[]) => PatchSuccess | PatchRefusal;
    const find = fuzzyFindAll as (...args: unknown[]) => unknown[];
    for (const args of [
      [odd, 'a', 'b'],
      ['a', odd, 'b'],
      ['a', 'a', odd],
    ]) {
      expect(call(...args).ok).toBe(false);
    }
    expect(find(odd, 'a')).toEqual([]);
    expect(find('a', odd)).toEqual([]);
    expect(call('a', 'a', 'b', null).ok).toBe(true);
  });

  it('names the argument that is not text', () => {
    const result = (applyPatch as (...args: unknown[]) => PatchSuccess | PatchRefusal)('a', 'a', null);
    expect(result).toMatchObject({ code: 'not_text', error: expect.stringContaining('new_string') });
  });
});

describe('neta.patch.result: typography learned from comments', () => {
  it('does not write the full-width punctuation of comments into code', () => {
    const file = '// 先读\uff08再写\uff09\uff0c然后返回\nread(first);\nreturn first;\n';
    const old = '// 先读(再写),然后返回\nread(first);\nreturn first;';
    const result = applyPatch(file, old, old.replace('read(first);', 'read(first);\nwrite(first, second);'));
    expect(written(result).content).toBe(file.replace('read(first);', 'read(first);\nwrite(first, second);'));
  });
});

describe('neta.patch.result: escaped line ends next to patterns with escapes', () => {
  const file = 'rules = {\n  del: /^(~~?)[^\\n]+\\1$/,\n  text: /^[^\\n]+[$.]/,\n};\n';
  const spelled = (text: string): string => text.replaceAll('\n', '\\n');

  it('writes added text whose backslashes cannot mean white space', () => {
    const next = file.replace('[$.]/', '[$.]\\.\\d/');
    expect(written(applyPatch(file, spelled(file), spelled(next))).content).toBe(next);
  });

  it('refuses added text whose backslashes may mean white space', () => {
    const next = file.replace('[$.]/', '[$.\\n]+/');
    expect(refusalOf(applyPatch(file, spelled(file), spelled(next)))).toBe('conflict');
  });
});

describe('neta.patch.result: typography learned from prose', () => {
  const file = '// 先读\uff08再写\uff09\uff0c然后返回\n// see the notes\nread(first);\n';
  const old = '// 先读(再写),然后返回\n// see the notes\nread(first);';

  it('writes full-width punctuation in a line with Chinese words', () => {
    const result = applyPatch(file, old, old.replace('notes', 'notes\n// 先打开,然后关闭'));
    expect(written(result).content).toBe(file.replace('notes', 'notes\n// 先打开\uff0c然后关闭'));
  });

  it('does not write full-width punctuation in a comment without Chinese words', () => {
    const result = applyPatch(file, old, old.replace('notes', 'notes, then close (once)'));
    expect(written(result).content).toBe(file.replace('notes', 'notes, then close (once)'));
  });
});

describe('neta.patch.result: quotations that resemble the file but mean another place', () => {
  const usage = (title: string): string => `## ${title}\n\nconst socket = require("ws");\nsocket.open(address);\nsocket.send(message);\n`;

  it('refuses a place that lacks a line when another place has it and fits as well', () => {
    const quoted = 'begin(everything);\nconnect(source, target);\nretry(limit, 3);\nreport(source);\nfinish(everything);\n';
    const sibling = quoted.replace('connect(source, target)', 'prepareAgain()');
    const original = quoted.replace('3', '9');
    const next = quoted.replace('limit, 3', 'limit, 4');
    expect(refusalOf(applyPatch(`${sibling}\n${original}`, quoted, next))).toBe('ambiguous');
  });

  it('refuses a Markdown section with another heading', () => {
    const quoted = usage('Sending binary data');
    const file = usage('Sending and receiving text data');
    expect(refusalOf(applyPatch(file, quoted, quoted.replace('require', 'load')))).toBe('no_match');
  });

  it.each([
    ['a string after a question mark', "pick(isGlobal ? 'g' : undefined);", "pick(isGlobal ? 'legacy' : undefined);"],
    ['a string that only one of them has', "url: base + port + '/no-await'", 'url: base + port'],
    ['another operator', 'if (!isReady(source)) return;', 'if (isReady(source)) return;'],
    ['a key of several words', '"Too many arguments: got %s": {', '"Too few options: got %s": {'],
  ])('refuses a context line with another meaning: %s', (_, quotedLine, fileLine) => {
    const around = (line: string): string => `first(everything);\n${line}\nthird(everything);\nchange(this.line);\nlast(everything);\n`;
    const old = around(quotedLine);
    expect(refusalOf(applyPatch(around(fileLine), old, old.replace('change(', 'alter(')))).toBe('no_match');
  });

  it.each([
    [
      'the head of another block',
      'function load(path) {\n  open(path);\n  read(path, 1);\n  close(path);\n}\n',
      'load(path)',
      'save(path)',
    ],
    ['the key of another block', '{\n  "files": {\n    "first": 1,\n    "second": 2\n  }\n}\n', '"files"', '"scripts"'],
  ])('refuses %s', (_, file, name, other) => {
    const old = file.replace(name, other);
    expect(refusalOf(applyPatch(file, old, old.replace('1', '3')))).toBe('no_match');
  });

  it('refuses an edit whose new text is in the file verbatim, although old_string matches inexactly', () => {
    const tail = 'finish(everything);\nclose(everything);\n';
    const next = `\n\nprepare(everything);\n\n${tail}`;
    expect(refusalOf(applyPatch(`begin();${next}`, `\n\n\n${tail}`, next))).toBe('already_applied');
  });
});
