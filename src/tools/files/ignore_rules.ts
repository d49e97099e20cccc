/** Rules of .gitignore files, for paths relative to the workspace. */
import ignore, { type Ignore } from 'ignore';

export const IGNORE_FILE = '.gitignore';
/** A larger .gitignore is not read. */
export const MAX_IGNORE_FILE_BYTES = 64 * 1024;

/**
 * Limits of the rules that a path is compared with; rules beyond them are skipped. A cloned repository may be hostile: the package matches several
 * `**` by backtracking, and a rule with many of them, or very many rules, would take seconds for each path.
 */
const MAX_RULES = 1_000;
const MAX_RULE_UNITS = 256;
const MAX_DOUBLE_STARS = 2;

/** Characters that would act as wildcards when a directory's path becomes part of a rule. */
const SPECIAL = /[\\*?[\]]/;

/** Immutable: a directory with a .gitignore adds its rules to those of the directories above, and its rules win. */
export class IgnoreRules {
  static readonly none = new IgnoreRules(ignore(), 0);

  private constructor(
    private readonly rules: Ignore,
    private readonly count: number,
  ) {}

  /** `directory`: where the .gitignore lies, relative to the workspace; '.' for the workspace itself. */
  extend(directory: string, text: string): IgnoreRules {
    if (SPECIAL.test(directory)) return this;
    const added = text
      .split(/\r?\n/)
      .filter(isAffordable)
      .slice(0, MAX_RULES - this.count)
      .map(rule => (directory === '.' ? rule : prefixed(directory, rule)));
    const rules = ignore({ ignorecase: false }).add(this.rules).add(added);
    return added.length === 0 ? this : new IgnoreRules(rules, this.count + added.length);
  }

  /** `path` is relative to the workspace, and every directory above it has been found not to be ignored. */
  isIgnored(path: string, kind: string): boolean {
    return this.count > 0 && this.rules.ignores(kind === 'directory' ? `${path}/` : path);
  }
}

/** Returns true when comparing paths with the rule is cheap; false for comments and blank lines, too. */
function isAffordable(line: string): boolean {
  if (line.length > MAX_RULE_UNITS || line.startsWith('#') || line.trim() === '') return false;
  // `***` counts too: the library treats it like `**`.
  return line.split('/').filter(name => /^\*{2,}$/.test(name)).length <= MAX_DOUBLE_STARS;
}

/** Turns a rule of a nested .gitignore into one of the workspace: `*.log` in `a/b` becomes `/a/b/**` + `/*.log`. */
function prefixed(directory: string, rule: string): string {
  const [, negation = '', body = ''] = /^(!?)(.*)$/.exec(rule) ?? [];
  // A leading \# or \! stands for the character itself, which needs no backslash further on.
  const plain = body.replace(/^\\([#!])/, '$1');
  const isAnchored = plain.replace(/\/\s*$/, '').includes('/');
  return `${negation}/${directory}/${isAnchored ? plain.replace(/^\//, '') : `**/${plain}`}`;
}
