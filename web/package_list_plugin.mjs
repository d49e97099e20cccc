import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packagesOf } from '../scripts/package_list.mjs';

/** Writes the packages whose code is in the pages into a file, relative to this one: their licences are listed in the package of the gateway. */
export const listPackages = file => ({
  name: 'list-packages',
  async writeBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    await writeFile(fileURLToPath(new URL(file, import.meta.url)), JSON.stringify(packagesOf(modules), undefined, 1));
  },
});
