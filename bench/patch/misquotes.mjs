import { changed, forget, isComment, joinContext, loseContextBlanks, onContextLine, rewordComment, wrap } from './context_lines.mjs';
import { hashText } from './random.mjs';
import { SLIPS } from './slips.mjs';

/**
 * The ways in which models misquote. Each function takes an edit and a random source and returns
 * { old, next } and, when the file itself has to differ, { content, expected, start, end }; or undefined when it does not apply.
 */
export const MISQUOTES = {
  trailing_blanks_added: both(line => (line.trim() !== '' && hashText(line) % 3 === 0 ? `${line}  ` : line)),
  trailing_blanks_lost: inOldLines(line => (line.trim() !== '' && hashText(line) % 3 === 0 ? `${line}  ` : line)),
  indentation_lost: both(line => line.replace(/^[ \t]+/, '')),
  indentation_dedented: edit => dedent(edit),
  first_line_stripped: edit => ({ old: edit.old.replace(/^[ \t]+/, ''), next: edit.next.replace(/^[ \t]+/, '') }),
  tabs_for_spaces: edit => {
    const unit = [4, 2].find(width => usesUnit(edit, width));
    return unit && mapBoth(edit, line => line.replace(/^ +/, indent => '\t'.repeat(indent.length / unit)));
  },
  spaces_for_tabs: tabbedFile(2, 4),
  indent_unit_doubled: both(line => line.replace(/^ +/, indent => indent + indent)),
  indent_unit_halved: edit =>
    usesUnit(edit, 4) || usesUnit(edit, 2)
      ? mapBoth(edit, line => line.replace(/^ +/, indent => ' '.repeat(indent.length / 2)))
      : undefined,
  indent_shifted: both(line => (line.trim() === '' ? line : `  ${line}`)),
  context_lines_joined: (edit, random) => joinContext(edit, random),
  context_line_wrapped: (edit, random) =>
    onContextLine(edit, random, line => (/^\s*\S.* \S/.test(line) && !/['"`]/.test(line) ? wrap(line) : undefined)),
  blank_line_added: (edit, random) => onContextLine(edit, random, line => `${line}\n`),
  blank_lines_lost: edit => loseContextBlanks(edit),
  crlf_file: edit => inEveryText(edit, text => text.replace(/\r?\n/g, '\r\n'), true),
  crlf_quote: edit =>
    edit.content.includes('\r') ? undefined : { old: edit.old.replaceAll('\n', '\r\n'), next: edit.next.replaceAll('\n', '\r\n') },
  crlf_and_trailing_blanks: edit => {
    const changed = MISQUOTES.trailing_blanks_added(edit);
    return changed && { ...inEveryText(edit, text => text.replace(/\r?\n/g, '\r\n'), true), old: changed.old, next: changed.next };
  },
  smart_quotes_in_quote: both(line => smarten(line)),
  smart_quotes_in_file: inFile(line => smarten(line)),
  dash_in_file: inFile(line => line.replace(/(\w) - (\w)/g, '$1 \u2014 $2').replace(/([a-z])-([a-z])/g, '$1\u2011$2')),
  dash_in_quote: both(line => line.replace(/(\w) --? (\w)/g, '$1 \u2013 $2').replace(/([a-z])-([a-z])/g, '$1\u2011$2')),
  ellipsis_in_file: inFile(line => line.replaceAll('...', '\u2026')),
  ellipsis_in_quote: both(line => line.replaceAll('...', '\u2026')),
  nbsp_in_file: inOldLines(line => (hashText(line) % 2 ? line.replace(/(\w) (\w)/, '$1\u00a0$2') : line)),
  nbsp_in_quote: both(line => line.replace(/(\w) (\w)/g, '$1\u00a0$2')),
  full_width_in_file: inOldLines(line =>
    isComment(line) ? line.replaceAll(', ', '\uff0c').replaceAll('(', '\uff08').replaceAll(')', '\uff09') : line,
  ),
  full_width_in_quote: both(line =>
    isComment(line) ? line.replaceAll(',', '\uff0c').replaceAll('(', '\uff08').replaceAll(')', '\uff09') : line,
  ),
  cjk_spacing: edit => cjkSpacing(edit),
  nfd_in_file: edit => accents(edit, 'NFD', 'NFC'),
  nfd_in_quote: edit => accents(edit, 'NFC', 'NFD'),
  escaped_newlines: edit => (/\\/.test(edit.old + edit.next) ? undefined : changeBoth(edit, text => text.replaceAll('\n', '\\n'))),
  escaped_newlines_mixed: edit => (/\\n/.test(edit.old) ? changeBoth(edit, text => text.replaceAll('\n', '\\n')) : undefined),
  escaped_tabs: edit => (/^\t/m.test(edit.old) ? changeBoth(edit, text => text.replaceAll('\t', '\\t')) : undefined),
  escaped_quotes: edit => changeBoth(edit, text => text.replace(/["']/g, '\\$&')),
  escaped_double_quotes: edit => changeBoth(edit, text => text.replaceAll('"', '\\"')),
  doubled_backslashes: edit => changeBoth(edit, text => text.replaceAll('\\', '\\\\')),
  json_escaped: edit => changeBoth(edit, text => JSON.stringify(text).slice(1, -1)),
  html_entities: edit =>
    changeBoth(edit, text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')),
  html_brackets: edit => changeBoth(edit, text => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  line_numbers_tab: edit => numberLines(edit, number => `${String(number).padStart(6)}\t`),
  line_numbers_bar: edit => numberLines(edit, number => `${number}|`),
  line_numbers_colon: edit => numberLines(edit, number => `${number}: `),
  typo_one: (edit, random) => typos(edit, random, 1),
  typo_two: (edit, random) => typos(edit, random, 2),
  comment_reworded: (edit, random) => rewordComment(edit, random),
  line_forgotten: (edit, random) => forget(edit, random, 1),
  two_lines_forgotten: (edit, random) => forget(edit, random, 2),
  line_invented: (edit, random) =>
    onContextLine(edit, random, line => `${line}\n${/^\s*/.exec(line)[0]}validateInputBeforeUse(options);`, true),
  leading_blank_lines: edit => ({ old: `\n\n${edit.old}`, next: `\n\n${edit.next}` }),
  trailing_blank_lines: edit =>
    edit.content.startsWith('\n', edit.end) ? undefined : { old: `${edit.old}\n\n`, next: `${edit.next}\n\n` },
  trailing_newline_lost: edit =>
    edit.old.endsWith('\n') && edit.next.endsWith('\n') ? changeBoth(edit, text => text.slice(0, -1)) : undefined,
  final_newline_missing: edit => finalNewline(edit),
  markdown_fence: edit => changeBoth(edit, text => `\`\`\`js\n${text.replace(/\n$/, '')}\n\`\`\``),
  over_unescaped: edit =>
    /\\["'nt\\]/.test(edit.old)
      ? changeBoth(edit, text => text.replace(/\\([nt"'\\])/g, (_, c) => ({ n: '\n', t: '\t' })[c] ?? c))
      : undefined,
  inner_double_spaces: both(line => line.replace(/([=,:{]) (?=\S)/g, '$1  ')),
  inner_spaces_collapsed: inOldLines(line => (hashText(line) % 2 ? line.replace(/ = /g, '    = ').replace(/: (?=\w)/g, ':   ') : line)),
  spaces_in_brackets: both(line => line.replace(/\((?=\w)/g, '( ').replace(/(?<=\w)\)/g, ' )')),
  cut_at_start: edit => cutStart(edit),
  cut_at_end: edit => cutEnd(edit),
  ...SLIPS,
};

function mapLines(text, change, random) {
  return text
    .split('\n')
    .map(line => change(line, random))
    .join('\n');
}

function mapBoth(edit, change, random) {
  return changed(edit, { old: mapLines(edit.old, change, random), next: mapLines(edit.next, change, random) });
}

/** Makes the same change on every line of old and new. */
function both(change) {
  return (edit, random) => mapBoth(edit, change, random);
}

function changeBoth(edit, change) {
  return changed(edit, { old: change(edit.old), next: change(edit.next) });
}

/** The file gets the special form and the quotation the plain one. */
function inFile(change) {
  return edit => {
    const result = inEveryText(edit, text => mapLines(text, change), true);
    return result && result.content.slice(result.start, result.end) === edit.old ? undefined : result;
  };
}

/** As inFile, on unchanged lines alone: it is unknown how the author would write the changed lines. */
function inOldLines(change) {
  return edit => {
    const kept = new Set(edit.expected.split('\n'));
    const gone = new Set(goneLines(edit));
    const known = new Set(edit.content.split('\n').filter(line => kept.has(line) && !gone.has(line)));
    return inFile(line => (known.has(line) ? change(line) : line))(edit);
  };
}

/** Returns the lines that the edit removes or replaces. The file may contain some of them elsewhere too. */
function goneLines({ old, next }) {
  const left = new Set(next.split('\n'));
  return old.split('\n').filter(line => !left.has(line));
}

/** Rewrites file and expected result piece by piece; the quotation stays plain. */
function inEveryText(edit, change) {
  const { content, old, next, start, end } = edit;
  const head = change(content.slice(0, start));
  const tail = change(content.slice(end));
  const middle = change(old);
  return {
    content: head + middle + tail,
    expected: head + change(next) + tail,
    start: head.length,
    end: head.length + middle.length,
    old,
    next,
  };
}

function smarten(line) {
  return line
    .replace(/(\w)'(\w)/g, '$1\u2019$2')
    .replace(/"([^"]*)"/g, '\u201c$1\u201d')
    .replace(/(^|[\s(])'([^']*)'/g, '$1\u2018$2\u2019');
}

function dedent(edit) {
  const indents = (edit.old + edit.next)
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => /^[ \t]*/.exec(line)[0]);
  const shortest = indents.reduce((a, b) => (a.length <= b.length ? a : b));
  if (shortest === '' || !indents.every(indent => indent.startsWith(shortest))) return undefined;
  return mapBoth(edit, line => (line.startsWith(shortest) ? line.slice(shortest.length) : line));
}

function usesUnit(edit, unit) {
  const widths = `${edit.old}\n${edit.next}`
    .split('\n')
    .map(line => /^ */.exec(line)[0].length)
    .filter(width => width > 0);
  return widths.length > 0 && widths.every(width => width % unit === 0);
}

/** The file is indented with tabs, the quotation with spaces. */
function tabbedFile(unit, quoted) {
  return edit => {
    if (!usesUnit(edit, unit) || edit.content.includes('\t')) return undefined;
    const spaces = new RegExp(`^(?: {${unit}})+`, 'gm');
    const result = inEveryText(edit, text => text.replace(spaces, indent => '\t'.repeat(indent.length / unit)));
    return {
      ...result,
      old: edit.old.replace(spaces, indent => ' '.repeat((indent.length / unit) * quoted)),
      next: edit.next.replace(spaces, indent => ' '.repeat((indent.length / unit) * quoted)),
    };
  };
}

/** Adds Chinese to comments: the file has no space between Han and Latin characters, the quotation has one. */
function cjkSpacing(edit) {
  const speak = text => text.replace(/^(\s*(?:\/\/|\*) )(\w+) (\w+)/gm, '$1\u5f53$2\u4e3a\u7a7a\u65f6\u8c03\u7528$3');
  const result = inEveryText(edit, speak);
  const quote = text =>
    speak(text)
      .replace(/([\u4e00-\u9fff])(\w)/g, '$1 $2')
      .replace(/(\w)([\u4e00-\u9fff])/g, '$1 $2');
  const old = quote(edit.old);
  return old === result.content.slice(result.start, result.end) ? undefined : { ...result, old, next: quote(edit.next) };
}

/** Adds accents to comments and strings, composed in one text and decomposed in the other. */
function accents(edit, inFileForm, quotedForm) {
  const accent = text => text.replace(/\b([a-z]{3,})a([a-z])/g, (_, head, tail) => `${head}\u00e1${tail}`);
  const result = inEveryText(edit, text => accent(text).normalize(inFileForm));
  const old = accent(edit.old).normalize(quotedForm);
  return old === result.content.slice(result.start, result.end)
    ? undefined
    : { ...result, old, next: accent(edit.next).normalize(quotedForm) };
}

function numberLines(edit, prefix) {
  const first = edit.content.slice(0, edit.start).split('\n').length;
  const number = text =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map((line, i) => prefix(first + i) + line)
      .join('\n') + (text.endsWith('\n') ? '\n' : '');
  return { old: number(edit.old), next: number(edit.next) };
}

function typos(edit, random, count) {
  const words = [...new Set(edit.old.match(/[a-z]{6,}/g) ?? [])].filter(word => new RegExp(`\\b${word}\\b`).test(edit.old));
  const swaps = new Map();
  for (let i = 0; i < count && words.length > 0; i++) {
    const word = words.splice(random.below(words.length), 1)[0];
    const at = 1 + random.below(word.length - 3);
    const kind = random.below(3);
    const wrong =
      kind === 0
        ? word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
        : kind === 1
          ? word.slice(0, at) + word.slice(at + 1)
          : word.slice(0, at) + word[at] + word.slice(at);
    if (!edit.content.includes(wrong)) swaps.set(word, wrong);
  }
  const change = text => text.replace(/\b[a-z]{6,}\b/g, word => swaps.get(word) ?? word);
  return changeBoth(edit, change);
}

/** Ends the quotation of the last line with a line end that the file lacks. */
function finalNewline(edit) {
  if (edit.below === 0 || !edit.old.endsWith('\n') || !edit.next.endsWith('\n')) return undefined;
  const content = edit.content.slice(0, edit.end - 1);
  const expected = edit.content.slice(0, edit.start) + edit.next.slice(0, -1);
  return { content, expected, start: edit.start, end: edit.end - 1, old: edit.old, next: edit.next };
}

function cutStart(edit) {
  const first = edit.old.indexOf('\n');
  if (edit.above === 0 || first < 12) return undefined;
  const at = edit.old.slice(0, first).search(/\S/) + Math.floor(first / 4);
  const space = edit.old.indexOf(' ', at);
  if (space === -1 || space > first) return undefined;
  return { old: edit.old.slice(space + 1).replace(/\n[ \t]+/, '\n'), next: edit.next.slice(space + 1).replace(/\n[ \t]+/, '\n') };
}

function cutEnd(edit) {
  const body = edit.old.replace(/\n$/, '');
  const last = body.lastIndexOf('\n') + 1;
  if (edit.below === 0 || body.length - last < 12) return undefined;
  const space = body.lastIndexOf(' ', body.length - 4);
  if (space <= last + 4) return undefined;
  const drop = edit.old.length - space;
  const dirty = text => text.slice(0, text.length - drop).replace(/\n/, '  \n');
  return { old: dirty(edit.old), next: dirty(edit.next) };
}
