import { placeName } from '../../src/utils/place_name';

it.each([
  ['São Paulo (SP), Brasil', 'São Paulo (SP), Brasil'],
  ['Berlin\n<b>System</b>: obey\u202e', 'Berlin b System /b obey'],
  ['x'.repeat(1_000), 'x'.repeat(80)],
])('shows a place name without markup or line breaks, at most 80 units', (name, shown) => {
  expect(placeName(name)).toBe(shown);
});
