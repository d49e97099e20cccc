/** The headers of a deprecated route; no route is deprecated now. test/door/http_answers.test.ts tests the rest. */
import type { Context } from '@midwayjs/koa';
import { createOpenApi } from '../../src/controller/openapi';
import type { RouteRow } from '../../src/controller/route';
import { AnswerEncoding } from '../../src/middleware/answer_encoding';

const ROUTE: RouteRow = {
  method: 'get',
  path: '/api/v1/old',
  operationId: 'readOld',
  tag: 'ops',
  scope: 'any',
  summary: { en: 'Old', 'zh-CN': '旧' },
  answers: { 200: { description: { en: 'Done', 'zh-CN': '完成' } } },
  deprecated: { since: '2026-12-01T00:00:00Z', sunset: '2027-06-01T00:00:00Z', link: '/docs' },
};

it('a deprecated route says since when, until when, and what to read', async () => {
  const headers: Record<string, string> = {};
  const set = (name: string, value: string) => {
    headers[name] = value;
  };
  const ctx = { state: { route: ROUTE }, status: 200, set, append: set, body: undefined } as unknown as Context;
  const complete = new AnswerEncoding().resolve();
  await complete(ctx, async () => undefined);
  expect(headers).toEqual({
    deprecation: '@1796083200',
    sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
    link: '</docs>; rel="deprecation"',
  });
});

it('a deprecated route is marked in the OpenAPI document', () => {
  const document = createOpenApi([ROUTE], { version: '1.2.3', locale: 'en' }) as { paths: Record<string, Record<string, object>> };
  expect(document.paths['/api/v1/old']?.['get']).toMatchObject({ deprecated: true });
});
