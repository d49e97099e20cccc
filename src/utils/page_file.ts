/** The built pages that are served at more than one address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wayToRoot } from './base_path';

const PAGES = join(__dirname, '../../web');
const texts = new Map<string, string>();

/** Returns the page as HTML whose links are right at `path`; the build writes links for a page at the root. */
export function pageFile(name: 'demo' | 'docs' | 'embed' | 'ops' | 'shared', path: string): string {
  const text = texts.get(name) ?? readFileSync(join(PAGES, `${name}.html`), 'utf8');
  texts.set(name, text);
  return text.replaceAll('="./', `="${wayToRoot(path)}`);
}
