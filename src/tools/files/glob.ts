/** Globs: * and ? within a name, ** across directories, [a-z] and {a,b}. Matching takes linear time for every pattern. */
import { RE2JS } from 're2js';

export const MAX_GLOB_UNITS = 200;

export interface Glob {
  /** `path` is relative to the directory of the pattern, with slashes. */
  matches(path: string): boolean;
  /** Levels of directories that a match may lie below the start; Infinity with **. */
  depth: number;
}

/** Returns undefined for a malformed pattern. Drops a leading "./". */
export function compileGlob(pattern: string): Glob | undefined {
  const plain = pattern.replace(/^(\.\/)+/, '');
  if (plain === '' || plain.length > MAX_GLOB_UNITS) return undefined;
  try {
    const expression = RE2JS.compile(toExpression(plain), RE2JS.DOTALL);
    const depth = plain.includes('**') ? Number.POSITIVE_INFINITY : plain.split('/').length - 1;
    return { matches: path => expression.matches(path), depth };
  } catch {
    return undefined;
  }
}

function toExpression(glob: string): string {
  let expression = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at);
    const token = /^(\*\*\/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|\{|\}|,)/.exec(rest)?.[0];
    if (token === undefined) {
      expression += RE2JS.quote(String.fromCodePoint(rest.codePointAt(0) ?? 0));
      if ((rest.codePointAt(0) ?? 0) > 0xffff) at += 1;
      continue;
    }
    at += token.length - 1;
    if (token === '{') braces += 1;
    if (token === '}' && braces > 0) braces -= 1;
    else if (token === '}') {
      expression += '\\}';
      continue;
    }
    expression += token === ',' && braces === 0 ? ',' : expressionOf(token);
  }
  return expression;
}

function expressionOf(token: string): string {
  switch (token) {
    case '**/':
      return '(?:[^/]+/)*';
    case '**':
      return '.*';
    case '*':
      return '[^/]*';
    case '?':
      return '[^/]';
    case '{':
      return '(?:';
    case '}':
      return ')';
    case ',':
      return '|';
    default:
      return token.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
  }
}
