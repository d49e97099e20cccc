/**
 * Paths whose content git executes or obeys. A write there would run code outside of every sandbox as soon as a person uses git in the
 * workspace, so file tools and commands may not write them.
 */

/** A directory of this name holds PROTECTED_IN_GIT; a file of this name points to such a directory. */
export const GIT = '.git';

/** Entries of a git directory. `commondir` names another directory whose hooks and config git uses instead. */
export const PROTECTED_IN_GIT = ['hooks', 'config', 'config.worktree', 'commondir'] as const;

const NAMES = PROTECTED_IN_GIT.map(name => name.replace('.', '\\.')).join('|');
const PROTECTED = new RegExp(`(^|/)\\.git(/(.*/)?(${NAMES})($|/)|$)`, 'i');

/** Covers nested repositories and submodules, in any letter case. `relativePath` is relative to the workspace, with symlinks resolved. */
export const isProtected = (relativePath: string): boolean => PROTECTED.test(relativePath);
