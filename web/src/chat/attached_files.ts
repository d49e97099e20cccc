/** PDF files that go with a message: those that a person attached, which the text names by their paths. */
import { findMentions } from '../markdown/mentions';

const ATTACHED = /^uploads\/.+\.pdf$/i;
/** The gateway takes no more with one message; the agent reads the others by their paths. */
const MAX_FILES = 8;

export function attachedFiles(text: string): { path: string }[] {
  const paths = findMentions(text).flatMap(({ path }) => (ATTACHED.test(path) ? [path] : []));
  return [...new Set(paths)].slice(0, MAX_FILES).map(path => ({ path }));
}
