import { indentBefore, type TokenText } from '../tokens';

/** The indentation of one line as the model wrote it and as the file has it. */
export interface IndentPair {
  old: string;
  file: string;
}

/** Translates indentation from the model's style to the file's. */
export interface IndentMap {
  /** The file's indentation for a line that the model indents with `indent`. */
  translate(indent: string): string;
  /** One level of indentation in the file. */
  readonly unit: string;
  /** Equal indentation in old stands for several depths in the file, so it says nothing about depth. */
  flattened: boolean;
}

/** Indentation of lines of the model and of the file. */
export interface IndentSamples {
  model: readonly string[];
  file: readonly string[];
}

/** Pairs of the lines that begin in both texts. The first line is left out when only it lost its indentation. */
export function indentPairs(old: TokenText, file: TokenText, oldToFile: Int32Array): IndentPair[] {
  const pairs: IndentPair[] = [];
  for (const { first } of old.lines) {
    const target = oldToFile[first] ?? -1;
    const oldIndent = indentBefore(old, first);
    const fileIndent = target >= 0 ? indentBefore(file, target) : undefined;
    if (oldIndent !== undefined && fileIndent !== undefined) pairs.push({ old: oldIndent, file: fileIndent });
  }
  const [head, ...rest] = pairs;
  const onlyFirstStripped =
    head && rest.length > 0 && head.old.length < head.file.length && rest.every(pair => pair.old !== head.old || pair.file === pair.old);
  return onlyFirstStripped ? rest : pairs;
}

/** The samples are asked for only when the pairs do not tell. */
export function createIndentMap(pairs: readonly IndentPair[], takeSamples: () => IndentSamples): IndentMap {
  const known = majority(pairs);
  let units: LearnedUnits | undefined;
  const learned = (): LearnedUnits => {
    units ??= learnUnits(pairs, takeSamples());
    return units;
  };
  return {
    translate: indent => known.get(indent) ?? learned().rule(indent),
    get unit() {
      return learned().unit;
    },
    flattened: isFlattened(pairs),
  };
}

interface LearnedUnits {
  rule: IndentRule;
  unit: string;
}

function learnUnits(pairs: readonly IndentPair[], samples: IndentSamples): LearnedUnits {
  const fileUnit = indentUnit(samples.file);
  const modelUnit = indentUnit(samples.model);
  return { rule: generalRule(pairs, modelUnit, fileUnit), unit: commonStep(samples.file) ?? fileUnit ?? modelUnit ?? '  ' };
}

/** A line that has been written, for the depth of the one after it. */
export interface WrittenLine {
  indent: string;
  text: string;
  /** Indentation to return to after this line, which was one deeper only because the line before it asked for it. */
  returnTo?: string | undefined;
  /** The line stands between parentheses that an earlier line left open; its operators need no further indentation. */
  inParentheses?: boolean;
}

/** Depth that the syntax suggests for a line after `previous`: deeper after an opener, less before a closer. */
export function indentBySyntax(previous: WrittenLine, text: string, unit: string): { indent: string; returnTo?: string } {
  const code = previous.text.trim();
  const starred = text.startsWith('*');
  if (code.startsWith('/*') && !code.endsWith('*/') && starred) return { indent: `${previous.indent} ` };
  let indent = previous.returnTo ?? previous.indent;
  if (code.startsWith('*') && code.endsWith('*/') && !starred) indent = indent.replace(/ $/, '');
  if (/^(?:[<*#]|\/\/)/.test(code)) return { indent };
  if (/[{([]$|[:>]$/.test(code)) indent += unit;
  else if (
    /^(?:(?:else )?(?:if|for|while)\b.*\)|else)$|(?:&&|\|\||[+?=])$/.test(code) &&
    !text.startsWith('{') &&
    previous.inParentheses !== true
  ) {
    return { indent: previous.returnTo === undefined ? indent + unit : previous.indent, returnTo: indent };
  }
  if (/^[})\]]/.test(text) && indent.endsWith(unit)) indent = indent.slice(0, indent.length - unit.length);
  return { indent };
}

/** Bracket depth of every line; a line that opens or closes several brackets counts once. */
export function lineDepths(view: TokenText): number[] {
  let depth = 0;
  return view.lines.map(({ first, last }) => {
    let net = 0;
    for (let i = first; i <= last; i++) net += bracketWeight(view.tokens[i]!.text);
    const own = bracketWeight(view.tokens[first]!.text) < 0 ? depth - 1 : depth;
    depth += Math.sign(net);
    return own;
  });
}

function bracketWeight(text: string): number {
  if (text === '{' || text === '(' || text === '[') return 1;
  return text === '}' || text === ')' || text === ']' ? -1 : 0;
}

/** Indentation moved by so many levels. */
export function shiftIndent(indent: string, levels: number, unit: string): string {
  if (levels >= 0) return unit.repeat(levels) + indent;
  return indent.slice(Math.min(indent.length, -levels * unit.length));
}

/** The commonest file indentation for every indentation of old. */
function majority(pairs: readonly IndentPair[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const pair of pairs) {
    const row = counts.get(pair.old) ?? new Map<string, number>();
    row.set(pair.file, (row.get(pair.file) ?? 0) + 1);
    counts.set(pair.old, row);
  }
  return new Map([...counts].map(([old, row]) => [old, [...row].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]]));
}

function isFlattened(pairs: readonly IndentPair[]): boolean {
  const depths = new Map<string, Set<string>>();
  for (const pair of pairs) depths.set(pair.old, (depths.get(pair.old) ?? new Set()).add(pair.file));
  return [...depths.values()].some(files => files.size > 1) && new Set(pairs.map(pair => pair.file)).size > depths.size;
}

type IndentRule = (indent: string) => string;

function generalRule(pairs: readonly IndentPair[], modelUnit: string | undefined, fileUnit: string | undefined): IndentRule {
  const informative = pairs.filter(pair => pair.old !== '' || pair.file !== '');
  const convert: IndentRule = indent => convertUnits(indent, modelUnit, fileUnit);
  if (informative.length === 0) return indent => (mixesTabs(modelUnit, fileUnit) ? convert(indent) : indent);
  if (informative.every(pair => pair.old === pair.file)) return indent => indent;
  if (modelUnit !== fileUnit && informative.every(pair => convert(pair.old) === pair.file)) return convert;
  const ratio = commonRatio(informative);
  const added = ratio === undefined ? commonAddition(informative) : undefined;
  if (added !== undefined) return indent => added + indent;
  const removed = commonAddition(informative.map(pair => ({ old: pair.file, file: pair.old })));
  if (removed !== undefined) return indent => (indent.startsWith(removed) ? indent.slice(removed.length) : convert(indent));
  if (ratio !== undefined) return indent => ' '.repeat(Math.round(indent.length * ratio));
  return indent => fromNearest(indent, informative, convert);
}

function mixesTabs(modelUnit: string | undefined, fileUnit: string | undefined): boolean {
  return modelUnit !== undefined && fileUnit !== undefined && (modelUnit === '\t') !== (fileUnit === '\t');
}

/** The prefix that every file indentation has before the model's, if it is always the same one. */
function commonAddition(pairs: readonly IndentPair[]): string | undefined {
  const [first] = pairs;
  if (!first?.file.endsWith(first.old)) return undefined;
  const prefix = first.file.slice(0, first.file.length - first.old.length);
  return pairs.every(pair => pair.file === prefix + pair.old) ? prefix : undefined;
}

/** File width over model width when both use spaces and it is always the same. */
function commonRatio(pairs: readonly IndentPair[]): number | undefined {
  const [first] = pairs;
  if (!first || first.old === '') return undefined;
  const ratio = first.file.length / first.old.length;
  const fits = pairs.every(pair => /^ +$/.test(pair.old) && /^ *$/.test(pair.file) && pair.file.length === ratio * pair.old.length);
  return fits && new Set(pairs.map(pair => pair.old)).size > 1 ? ratio : undefined;
}

function fromNearest(indent: string, pairs: readonly IndentPair[], convert: IndentRule): string {
  const width = convert(indent).length;
  let nearest = pairs[0]!;
  for (const pair of pairs) {
    if (Math.abs(pair.old.length - indent.length) < Math.abs(nearest.old.length - indent.length)) nearest = pair;
  }
  const steps = width - convert(nearest.old).length;
  if (steps <= 0) return nearest.file.slice(0, Math.max(0, nearest.file.length + steps));
  return nearest.file + convert(indent).slice(-steps);
}

function convertUnits(indent: string, modelUnit: string | undefined, fileUnit: string | undefined): string {
  if (modelUnit === undefined || fileUnit === undefined || modelUnit === fileUnit) return indent;
  let rest = indent;
  let levels = 0;
  while (rest.startsWith(modelUnit)) {
    rest = rest.slice(modelUnit.length);
    levels++;
  }
  return fileUnit.repeat(levels) + rest;
}

/** One level of indentation in a sample: a tab, or the greatest common divisor of the space indents; undefined when none is indented. */
export function indentUnit(indents: readonly string[]): string | undefined {
  if (indents.some(indent => indent.startsWith('\t'))) return '\t';
  let unit = 0;
  for (const indent of indents) {
    const width = indent.length - (indent.length % 2);
    if (width > 0) unit = greatestCommonDivisor(unit, width);
  }
  return unit > 0 ? ' '.repeat(Math.min(unit, 8)) : undefined;
}

/** What lines are most often indented more than the line before them. */
function commonStep(indents: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (let i = 1; i < indents.length; i++) {
    const step = indents[i]!.startsWith(indents[i - 1]!) ? indents[i]!.slice(indents[i - 1]!.length) : '';
    if (step.length > 1 || step === '\t') counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
