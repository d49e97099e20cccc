import '../../src/builtin_tools';
import { getAllToolNames, getSchema } from '../../src/tools/catalog';
import type { ToolSpec } from '../../src/tools/common';
import { validateArguments } from '../../src/tools/validation';

const specOf = (name: string): ToolSpec => getSchema(name) as ToolSpec;
const messageOf = (name: string, value: unknown): string => {
  const check = validateArguments(specOf(name), value);
  if (check.ok) throw new Error('was accepted');
  return check.message;
};

describe('validateArguments', () => {
  it('returns valid arguments', () => {
    const args = { path: 'a.txt', offset: 3 };
    expect(validateArguments(specOf('read_file'), args)).toEqual({ ok: true, value: args });
  });

  it('names a missing field and shows a minimal example', () => {
    const message = messageOf('patch', { path: 'a' });
    expect(message).toContain('- old_string: is required, but missing\n- new_string: is required, but missing');
    expect(message).toContain('{"path":"<path>","old_string":"<old_string>","new_string":"<new_string>"}');
  });

  it('names the rule and the received value, truncated', () => {
    expect(messageOf('read_file', { path: 'a', offset: 0 })).toContain('- offset: must be integer of at least 1, got 0');
    expect(messageOf('read_file', { path: 5 })).toContain('- path: must be string, got 5');
    const message = messageOf('clarify', { question: 'q'.repeat(5_000) });
    expect(message).toContain('... (5000 characters)');
    expect(message.length).toBeLessThan(600);
  });

  it('names the known parameters for an unknown one', () => {
    expect(messageOf('read_file', { path: 'a', file: 'b' })).toContain('- file: is no parameter of this tool; it has path, offset, limit');
  });

  it('lists the values of a choice and the place inside a list', () => {
    const todos = [
      { id: '1', content: 'x', status: 'pending' },
      { id: '2', content: 'y', status: 'done' },
    ];
    expect(messageOf('todo', { todos })).toContain(
      '- todos.1.status: must be one of "pending", "in_progress", "completed", "cancelled", got "done"',
    );
  });

  it('names at most five fields', () => {
    const todos = Array.from({ length: 20 }, () => ({}));
    expect(messageOf('todo', { todos }).match(/^- /gm)).toHaveLength(5);
  });

  it.each([[null], ['text'], [42], [[]], [undefined]])('refuses %p as a whole', value => {
    expect(messageOf('bash', value)).toContain('must be a JSON object');
  });

  it('refuses an own __proto__ key', () => {
    expect(messageOf('list_dir', JSON.parse('{"__proto__":{"path":"x"}}'))).toContain('__proto__');
  });

  it('drops null for an optional parameter, but refuses it for a required one', () => {
    expect(validateArguments(specOf('clarify'), { question: 'q', choices: null })).toEqual({ ok: true, value: { question: 'q' } });
    expect(messageOf('clarify', { question: null })).toContain('- question: must be string, got null');
  });

  it('refuses unknown keys in every tool of the catalog', () => {
    for (const name of getAllToolNames()) expect(messageOf(name, { no_such_thing: 1 })).toContain('no_such_thing');
  });

  it('checks a plain JSON Schema for required and forbidden keys', () => {
    const spec = { name: 'x', parameters: { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false } };
    expect(validateArguments(spec, { a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(validateArguments(spec, {})).toMatchObject({ ok: false, message: expect.stringContaining('a: is required') });
    expect(validateArguments(spec, { a: 1, b: 2 })).toMatchObject({ ok: false, message: expect.stringContaining('b: is no parameter') });
  });
});
