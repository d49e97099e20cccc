/** The API page in Chinese says everything that it says in English. */
import { createOpenApi } from '../../../src/controller/openapi';
import { DOCUMENT_ZH_CN } from '../../../web/src/docs/document_zh_cn';

type Json = Record<string, unknown>;

const document = JSON.parse(JSON.stringify(createOpenApi('1.0.0'))) as Json;

describe('the Chinese of the API document', () => {
  it('covers every summary, description and error text, and nothing that is gone', () => {
    const texts = new Set([...textsOf(document['tags']), ...textsOf(document['paths']), ...textsOf(document['components'])]);
    for (const error of document['x-errors'] as { text: string }[]) texts.add(error.text);
    expect(Object.keys(DOCUMENT_ZH_CN).sort()).toEqual([...texts].sort());
  });
});

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    (key === 'summary' || key === 'description') && typeof entry === 'string' ? [entry] : textsOf(entry),
  );
}
