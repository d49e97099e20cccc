import { writeExample } from '../../../web/src/docs/code_examples';

const request = (body: string) => ({ method: 'POST', url: 'http://localhost/runs', headers: {}, body });

it('writes a JSON body as an object, and one that JavaScript would change as a string', () => {
  expect(writeExample('TypeScript', request('{"input":"hi"}'))).toContain('body: JSON.stringify({\n    "input": "hi"\n  }),');
  expect(writeExample('TypeScript', request('{"id":7234567890123456789}'))).toContain(String.raw`body: "{\"id\":7234567890123456789}",`);
});
