/** docs/decisions/README.md against the records beside it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../docs/decisions');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const records = readdirSync(FOLDER).filter(file => file !== 'README.md');
const rows = [...read('README.md').matchAll(/^\| (?:\[(\d{4})\]\(([^)]+)\)|(\d{4})) \| (.*) \| (.+) \|$/gm)].map(
  ([, number, file, numberAlone, title, status]) => ({ number: number ?? numberAlone, file, title, status }),
);

it('the index has one row for each number, in order', () => {
  expect(rows.map(({ number }) => Number(number))).toEqual(rows.map((_, index) => index + 1));
});

it('the index leads to every record, under its own title', () => {
  const titles = records.map(file => [file, /^# \d{4}[.:]? (.+)$/m.exec(read(file))?.[1]]);
  expect(rows.flatMap(({ file, title }) => (file ? [[file, title]] : []))).toEqual(titles);
});

it('every number says whether it is in force', () => {
  expect(rows.filter(({ status = '' }) => !/^(in force|replaced by \[|folded into \[|not used)/.test(status))).toEqual([]);
});

it.each(records)('%s has at most 21 lines', file => {
  expect(read(file).trimEnd().split('\n').length).toBeLessThanOrEqual(21);
});
