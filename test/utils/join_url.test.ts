import { joinUrl } from '../../src/utils/join_url';

test.each([
  ['http://a.example/v1', 'http://a.example/v1/models'],
  ['http://a.example/v1//', 'http://a.example/v1/models'],
  ['http://a.example', 'http://a.example/models'],
  ['http://a.example?key=1', 'http://a.example/models?key=1'],
  ['https://a.example/openai/deployments/d?api-version=2024-10-21', 'https://a.example/openai/deployments/d/models?api-version=2024-10-21'],
  [
    'https://a.example/openai/deployments/d/?api-version=2024-10-21&b=c%2Fd',
    'https://a.example/openai/deployments/d/models?api-version=2024-10-21&b=c%2Fd',
  ],
  ['https://me:pw@a.example/v1#part', 'https://me:pw@a.example/v1/models'],
])('%s', (base, expected) => {
  expect(joinUrl(base, '/models').href).toBe(expected);
});
