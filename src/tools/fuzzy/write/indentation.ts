import { indentBefore, type TokenText } from '../tokens';

/** The indentation of one line, as the model wrote it and as the file has it. */
export interface IndentPair {
  old: string;
  file: string;
}

/** Translates the model's indentation to the file's. */
export interface IndentMap {
  /** Returns the file's indentation for a line that the model indents with `indent`. */
  translate(indent: string): string;
  /** One level of indentation in the file. */
  readonly unit: string;
  /** True when one indentation of old stands for several depths of the file, so it says nothing about depth. */
  flattened: boolean;
}

/** Indentation of sample lines by the model and of the file. */
export interface IndentSamples {
  model: readonly string[];
  file: readonly string[];
}

/** Pairs the indentation of lines that begin in both texts. Leaves out a first line that alone lost its indentation. */
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

/** Calls `takeSamples` only when the pairs are not enough. */
export function createIndentMap(pairs: readonly IndentPair[], takeSamples: () => IndentSamples): IndentMap {
  const known = mostFrequentPairs(pairs);
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
  const modelUnit = indentUnit(samples.model);
  const fileUnit = (modelUnit === '\t' ? tabWidth(pairs) : undefined) ?? indentUnit(samples.file);
  return { rule: generalRule(pairs, modelUnit, fileUnit), unit: commonStep(samples.file) ?? fileUnit ?? modelUnit ?? '  ' };
}

/** Returns the blanks that the file has for one tab of the model, if they are the same everywhere. */
function tabWidth(pairs: readonly IndentPair[]): string | undefined {
  const indented = pairs.filter(pair => pair.old !== '' || pair.file !== '');
  const width = indented.length > 0 ? indented[0]!.file.length / indented[0]!.old.length : 0;
  const fits = ({ old, file }: IndentPair) => /^\t+$/.test(old) && /^ +$/.test(file) && file.length === width * old.length;
  return indented.length > 0 && indented.every(fits) ? ' '.repeat(width) : undefined;
}

/** The line before the one to indent. */
export interface WrittenLine {
  indent: string;
  text: string;
  /** Indentation to return to, when this line is one level deeper only because it continues the line before it. */
  returnTo?: string | undefined;
  /** The line is inside parentheses that an earlier line opened, so an operator at its end adds no indentation. */
  inParentheses?: boolean;
}

/** Guesses the indentation of a line from syntax: deeper after an opening bracket, shallower before a closing one. */
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

/** Returns the bracket depth of every line. A line that opens or closes several brackets counts once. */
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

/** Adds `levels` units of indentation, or removes them when negative. */
export function shiftIndent(indent: string, levels: number, unit: string): string {
  if (levels >= 0) return unit.repeat(levels) + indent;
  return indent.slice(Math.min(indent.length, -levels * unit.length));
}

/** Maps each indentation of old to its most frequent counterpart in the file. */
function mostFrequentPairs(pairs: readonly IndentPair[]): Map<string, string> {
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

/** Returns the prefix that the file adds to the model's indentation, if it is the same everywhere. */
function commonAddition(pairs: readonly IndentPair[]): string | undefined {
  const [first] = pairs;
  if (!first?.file.endsWith(first.old)) return undefined;
  const prefix = first.file.slice(0, first.file.length - first.old.length);
  return pairs.every(pair => pair.file === prefix + pair.old) ? prefix : undefined;
}

/** Returns file width divided by model width, if both use spaces and the ratio is the same everywhere. */
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

/** Returns one level of indentation: a tab, or the greatest common divisor of the space indents. Undefined when no sample is indented. */
export function indentUnit(indents: readonly string[]): string | undefined {
  if (indents.some(indent => indent.startsWith('\t'))) return '\t';
  let unit = 0;
  for (const indent of indents) {
    const width = indent.length - (indent.length % 2);
    if (width > 0) unit = greatestCommonDivisor(unit, width);
  }
  return unit > 0 ? ' '.repeat(Math.min(unit, 8)) : undefined;
}

/** Returns the most frequent increase of indentation from one line to the next. */
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
