/** The recipe "A route" of docs/architecture.md: one method under its row. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Controller, MidwayWebRouterService } from '@midwayjs/core';
import { Type } from '@sinclair/typebox';
import { createOpenApi } from '../../src/controller/openapi';
import { done, routesOf, routesWith } from '../../src/controller/route';
import { integerText } from '../../src/controller/schemas/common';
import { says } from '../../src/utils/bilingual';

const { Post } = routesWith({ tag: 'ops' });

@Controller('/api/v1/parcels')
class ParcelsController {
  @Post('/:id/weigh', 'weighParcel', {
    scope: 'ops:write',
    summary: { en: 'Weigh a parcel', 'zh-CN': '称一个包裹' },
    query: Type.Object({ times: Type.Optional(integerText(2, { minimum: 1, default: 3 }, says('how often', '次数'))) }),
    answers: done('Alive'),
    errors: ['session_busy'],
  })
  async weigh() {
    return { status: 'ok' };
  }
}

describe('a method under a decorator of routesWith', () => {
  it('is a route of Midway', async () => {
    const table = await new MidwayWebRouterService().getFlattenRouterTable();
    expect(table).toMatchObject([{ prefix: '/api/v1/parcels', url: '/:id/weigh', requestMethod: 'post', method: 'weigh' }]);
  });

  it('is an operation of the document in either language, with the errors that follow from its row', () => {
    const document = createOpenApi(routesOf(ParcelsController), { version: '1.0.0', locale: 'zh-CN' });
    expect(document['paths']).toMatchObject({
      '/api/v1/parcels/{id}/weigh': {
        post: {
          operationId: 'weighParcel',
          summary: '称一个包裹',
          parameters: [
            { name: 'id', in: 'path', required: true },
            { name: 'times', in: 'query', description: '次数', schema: { type: 'integer', minimum: 1, default: 3 } },
          ],
          'x-scope': 'ops:write',
          responses: {
            200: {},
            400: {},
            401: {},
            403: {},
            404: {},
            409: { description: expect.stringContaining('session_busy') },
            '4XX': {},
            default: {},
          },
        },
      },
    });
  });

  it('has a row with the fields that docs/architecture.md names', () => {
    const recipe = /@Get\(([^)]+)\)/.exec(readFileSync(join(__dirname, '../../docs/architecture.md'), 'utf8'))?.[1]?.match(/\w+/g);
    const [row] = routesOf(ParcelsController);
    expect(recipe).toEqual(expect.arrayContaining(Object.keys(row ?? {}).filter(field => field !== 'method')));
  });
});
