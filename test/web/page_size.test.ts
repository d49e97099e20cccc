/** The size of a first visit of the chat page, and of the script for other pages, as the gateway sends them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const WEB = join(__dirname, '../../dist/web');
const LIMIT_BYTES = 111_000;
const WIDGET_LIMIT_BYTES = 5_000;

it('loads at most 111 kB of page, scripts and styles with gzip', () => {
  const html = readFileSync(join(WEB, 'index.html'), 'utf8');
  const files = [...html.matchAll(/(?:src|href)="(?:\.\/)?([^"]+\.(?:js|css))"/g)].flatMap(match => match[1] ?? []);
  expect(files.length).toBeGreaterThan(2);
  const sizes = ['index.html', ...files].map(file => gzipSync(readFileSync(join(WEB, file))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(LIMIT_BYTES);
});

it('gives other pages a script of at most 5 kB with gzip', () => {
  expect(gzipSync(readFileSync(join(WEB, 'neta-chat.js'))).length).toBeLessThanOrEqual(WIDGET_LIMIT_BYTES);
});
