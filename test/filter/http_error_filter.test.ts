/** The log line of a request that failed inside. test/door/http_answers.test.ts tests the answers. */
import type { Context } from '@midwayjs/koa';
import { HttpErrorFilter } from '../../src/filter/http_error_filter';
import type { LogContext } from '../../src/port/logger';
import type { Refusals } from '../../src/service/limits/refusals';
import type { ServiceSettings } from '../../src/service/service_settings';

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', parentId: '00f067aa0ba902b7', isSampled: true };

it('logs an unexpected failure with the ids of the request and of the trace of its caller', async () => {
  const logged: [unknown, LogContext | undefined][] = [];
  const onError: ServiceSettings['onError'] = (_message, error, context) => void logged.push([error, context]);
  const ignore = () => {};
  const filter = Object.assign(new HttpErrorFilter(), {
    doorForms: [],
    serviceSettings: { onError, onEvent: ignore } as unknown as ServiceSettings,
    refusals: { note: ignore } as unknown as Refusals,
  });
  const ctx = { path: '/readyz', state: { requestId: 'order-17', trace: TRACE }, set: ignore, vary: ignore, get: () => '' };
  const failure = new Error('SELECT secret FROM /home/me/neta.db');
  const body = await filter.catch(failure, ctx as unknown as Context);
  expect(logged).toEqual([[failure, { requestId: 'order-17', traceId: TRACE.traceId }]]);
  expect(body).toMatchObject({ error: { code: 'internal', requestId: 'order-17' } });
  expect(JSON.stringify(body)).not.toMatch(/SELECT|home/);
});
