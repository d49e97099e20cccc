import fc from 'fast-check';
import { toJsonBytes } from '../../../src/adapter/openai/json_bytes';

const textOf = (json: string): string => Buffer.from(toJsonBytes(json)).toString('utf8');

test('sends a few characters that are not ASCII as escapes, so that the body has one byte a character', () => {
  const json = JSON.stringify({ role: 'assistant', content: 'Look at the file first → then change it — carefully. 🙂' });
  expect(textOf(json)).toBe(json.replace('→', '\\u2192').replace('—', '\\u2014').replace('🙂', '\\ud83d\\ude42'));
});

test('sends a text with many of them as it is', () => {
  const json = JSON.stringify({ role: 'user', content: '请先看文件，再修改。' });
  expect(textOf(json)).toBe(json);
});

test('a server reads the same value, and an escaped text is at most two fifths longer', () => {
  const units = fc.oneof({ weight: 20, arbitrary: fc.constantFrom('a', '"', '\\', '\n') }, fc.string({ unit: 'binary', maxLength: 1 }));
  const property = fc.property(fc.string({ unit: units, maxLength: 400 }), content => {
    const json = JSON.stringify({ content });
    expect(JSON.parse(textOf(json))).toEqual(JSON.parse(json));
    expect(toJsonBytes(json).length).toBeLessThanOrEqual(Buffer.byteLength(json) * 1.4);
  });
  fc.assert(property, { numRuns: 500 });
});

test('half of a character becomes the replacement character, and an escape that a text quotes stays', () => {
  const content = 'a \ud83d b \ude00 c \\ud83d 😀';
  expect(JSON.parse(textOf(JSON.stringify({ content })))).toEqual({ content: content.toWellFormed() });
});
