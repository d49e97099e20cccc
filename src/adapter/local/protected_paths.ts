/**
 * What git runs or obeys. Who writes it decides what runs outside of every sandbox as soon as a person uses git in the workspace, so neither file tools
 * nor commands may.
 */

/** As a directory it holds PROTECTED_IN_GIT; as a file it names the directory that does. */
export const GIT = '.git';

/** Entries of a git directory. `commondir` names another directory whose hooks and config count instead. */
export const PROTECTED_IN_GIT = ['hooks', 'config', 'config.worktree', 'commondir'] as const;

const NAMES = PROTECTED_IN_GIT.map(name => name.replace('.', '\\.')).join('|');
const PROTECTED = new RegExp(`(^|/)\\.git(/(.*/)?(${NAMES})($|/)|$)`, 'i');

/** Holds for nested repositories and submodules too, in any letter case. `relativePath` is seen from the workspace, symlinks followed. */
export const isProtected = (relativePath: string): boolean => PROTECTED.test(relativePath);
