/** Recognises command lines that cannot reach a network, because all of their programs are in a short list. */
import { splitCommands } from './shell_words';

/** None of these programs opens a connection, starts another program or changes what a name stands for in the shell. */
const LOCAL_PROGRAMS = new Set(
  'cat cd cp cut date diff echo false grep head ls mkdir mv pwd rmdir sleep stat tail touch tr true uniq wc'.split(' '),
);

/** A variable or a backtick can put any word into the line. */
const EXPANSION = /[$`]/;
/** Bash opens a connection for a redirection to such a path. */
const NETWORK_PATH = /^\/dev\/(tcp|udp)\//;

/** Returns false when in doubt: for a wrapper such as `env`, an assignment, a path of a program, and an empty line. */
export function staysLocal(line: string): boolean {
  const commands = splitCommands(line);
  if (EXPANSION.test(line) || commands.length === 0) return false;
  return commands.every(({ words }) => LOCAL_PROGRAMS.has(words[0] ?? '') && !words.some(word => NETWORK_PATH.test(word)));
}
