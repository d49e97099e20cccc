/** Every requirement that counts as done is named in the tests that are said to prove it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REQUIREMENTS } from './support/requirements';

const ROOT = join(__dirname, '..');

/** Whether the text names the id itself, not only a longer one that begins like it. */
const names = (text: string, id: string): boolean => new RegExp(`${id.replaceAll('.', '\\.')}(?![\\w]|\\.\\w)`).test(text);

describe('the requirement table', () => {
  it('has each requirement once, in all four areas', () => {
    const ids = REQUIREMENTS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(id => id.split('.')[0]))).toEqual(new Set(['neta', 'nanoclaw', 'beaver', 'jarvis']));
  });

  it.each(REQUIREMENTS.filter(({ state }) => state === 'done'))('$id is proven where the table says', ({ id, provenBy }) => {
    expect(provenBy.length).toBeGreaterThan(0);
    for (const file of provenBy) {
      expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
      expect([file, names(readFileSync(join(ROOT, file), 'utf8'), id)]).toEqual([file, true]);
    }
  });

  it('claims no proof for what is open', () => {
    expect(REQUIREMENTS.filter(({ state, provenBy }) => state === 'open' && provenBy.length > 0)).toEqual([]);
  });
});
