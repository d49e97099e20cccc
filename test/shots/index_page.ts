/** The page that shows all pictures in rows, one row a state. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Shot {
  readonly state: string;
  readonly look: string;
  /** Name of the file beside the page. */
  readonly file: string;
}

export async function writeIndex(directory: string, shots: readonly Shot[]): Promise<void> {
  const states = [...new Set(shots.map(({ state }) => state))];
  const rows = states.map(state =>
    toRow(
      state,
      shots.filter(shot => shot.state === state),
    ),
  );
  await writeFile(join(directory, 'index.html'), `${HEAD}<h1>${shots.length} pictures of ${states.length} states</h1>${rows.join('')}`);
}

const HEAD = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title><style>
body { margin: 2rem; font: 14px system-ui; background: #808080; }
section div { display: flex; gap: 1rem; align-items: start; overflow-x: auto; }
figure { margin: 0; }
img { height: 420px; }
</style>`;

function toRow(state: string, shots: readonly Shot[]): string {
  const figures = shots.map(
    ({ look, file }) =>
      `<figure><a href="${file}"><img src="${file}" loading="lazy" alt="${state}, ${look}"></a><figcaption>${look}</figcaption></figure>`,
  );
  return `<section><h2>${state}</h2><div>${figures.join('')}</div></section>`;
}
