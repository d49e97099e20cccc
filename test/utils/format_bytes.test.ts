import { formatBytes } from '../../src/utils/format_bytes';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_536, '1.5 KiB'],
  [102_400, '100 KiB'],
  [10 * 1024 * 1024, '10 MiB'],
])('writes %d bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
