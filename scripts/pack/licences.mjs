/** The licences of the packages whose code is in the package of the gateway. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build_if_needed.mjs';

const LISTS = ['dist/bundled_packages.json', 'dist/page_packages.json'];
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)\b/i;
const README = /^readme(?:\.md)?$/i;

/** Returns name, version, licence and its text of each package that the build has bundled. Throws when a package names no licence. */
export function bundledPackages() {
  const directories = new Set(LISTS.flatMap(list => JSON.parse(readFileSync(join(root, list), 'utf8'))));
  return [...directories].sort().map(directory => {
    const { name, version, ...rest } = JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
    const text = licenceText(directory);
    const license = licenceName(rest) ?? (/\bMIT License\b/.test(text) ? 'MIT' : undefined);
    if (license === undefined) throw new Error(`${directory} names no licence, so it cannot be packed.`);
    return { name, version, license, text };
  });
}

/** Returns the text of THIRD_PARTY_LICENSES. */
export function licenceTexts() {
  const parts = bundledPackages().map(({ name, version, license, text }) => `## ${name} ${version}\n\nLicence: ${license}\n\n${text}`);
  return `neta-gateway contains code of these packages.\n\n${[...new Set(parts)].join('\n\n')}\n`;
}

const licenceName = ({ license, licenses }) => license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ');

/** Returns the licence files of a package, or the section of its README. */
function licenceText(directory) {
  const files = readdirSync(join(root, directory), { withFileTypes: true }).filter(entry => entry.isFile());
  const read = pattern =>
    files.filter(({ name }) => pattern.test(name)).map(({ name }) => readFileSync(join(root, directory, name), 'utf8').trim());
  const [section] = read(README).flatMap(text => /^#+ *licen[cs]e\b.*\n([\s\S]+)/im.exec(text)?.[1].trim() ?? []);
  return read(LICENCE_FILE).join('\n\n') || section || 'The package brings no text of it.';
}
