import { fieldsOf, readForm } from '../../../src/feature/mcp_client/elicitation_form';

const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Full name' },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    news: { type: 'boolean' },
    size: {
      type: 'string',
      oneOf: [
        { const: 's', title: 'Small' },
        { const: 'l', title: 'Large' },
      ],
    },
    tags: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
  },
  required: ['name'],
};
const fields = fieldsOf(SCHEMA) ?? [];

it('reads lines, in both languages, by name or title', () => {
  expect(readForm('Full name: Ada\nage：36\nnews: yes\nsize: Large\ntags: red, blue', fields)).toEqual({
    content: { name: 'Ada', age: 36, news: true, size: 'l', tags: ['red', 'blue'] },
  });
});

it('reads a JSON object, and a bare text as the first required field', () => {
  expect(readForm('{"name":"Ada","age":36}', fields)).toEqual({ content: { name: 'Ada', age: 36 } });
  expect(readForm('Ada Lovelace', fields)).toEqual({ content: { name: 'Ada Lovelace' } });
});

it.each([
  ['age: 7', 'name'],
  ['name: Ada\nage: old', 'age'],
  ['name: Ada\nage: 151', 'age'],
  ['name: Ada\nsize: huge', 'size'],
  ['name: Ada\ntags: red, green', 'tags'],
])('names the field that is missing or does not fit in %j', (text, name) => {
  expect(readForm(text, fields)).toEqual({ problem: expect.objectContaining({ name }) });
});

it('refuses a form with a required field that is no plain value', () => {
  expect(fieldsOf({ properties: { place: { type: 'object' } }, required: ['place'] })).toBeUndefined();
  expect(fieldsOf({ properties: { place: { type: 'object' } } })).toEqual([]);
});
