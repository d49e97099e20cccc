import { serverAddressOf } from '../../src/port/model_apis';

it.each([
  [
    "Anthropic's with the path that its client adds",
    { baseUrl: 'https://api.anthropic.com/v1/' },
    { baseUrl: 'https://api.anthropic.com' },
  ],
  ["Anthropic's own, which is left out", { api: 'anthropic' }, { baseUrl: 'https://api.anthropic.com' }],
  [
    "Google's with a version and the path of chat completions",
    { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
    { api: 'google' },
  ],
  ['a slash at the end', { baseUrl: 'http://127.0.0.1:8000/v1/' }, { baseUrl: 'http://127.0.0.1:8000/v1' }],
  ['a proxy of the API', { api: 'anthropic', baseUrl: 'https://proxy.test/v1' }, { api: 'anthropic', baseUrl: 'https://proxy.test' }],
] as const)('one server has one address: %s', (_, one, other) => {
  expect(serverAddressOf(one)).toBe(serverAddressOf(other));
});

it('keeps the path of chat completions apart from the own API of the same vendor when the API is named', () => {
  expect(serverAddressOf({ api: 'chat', baseUrl: 'https://api.anthropic.com/v1' })).toBe('https://api.anthropic.com/v1');
});
