import { ContextMiddlewareManager, type IMiddlewareManager } from '@midwayjs/core';
import type { Context, NextFunction } from '@midwayjs/koa';
import { joinRouters } from '../../src/middleware/routers_by_prefix';

type Serve = (ctx: Context, next: () => Promise<unknown>) => Promise<unknown>;

const routerOf = (prefix: string, met: string[], serves = (_path: string) => false): Serve =>
  Object.assign(
    async (ctx: Context, next: () => Promise<unknown>) => {
      met.push(prefix);
      return serves(ctx.path) ? `answer of ${prefix}` : next();
    },
    { _name: `midwayController(${prefix})` },
  );

type List = IMiddlewareManager<Context, NextFunction, unknown>;

function listOf(items: readonly Serve[]): List {
  const list: List = new ContextMiddlewareManager<Context, NextFunction, unknown>();
  for (const item of items) list.insertLast(item);
  return list;
}

/** The function that replaced the routers. */
const joinedIn = (list: List): Serve => list.findItem('routersByPrefix') as Serve;

async function request(path: string, serves?: (path: string) => boolean) {
  const met: string[] = [];
  const guard = async () => 'guard';
  const routers = ['/api/v1/jobs', '/api/v1/runs', '/api/v1', '/mcp', '/'].map(prefix => routerOf(prefix, met, serves));
  const list = listOf([guard, ...routers]);
  joinRouters(list);
  expect([...list.getNames()]).toEqual(['guard', 'routersByPrefix']);
  const result = await joinedIn(list)({ path } as Context, async () => 'no route');
  return { met, result };
}

test('a request meets the routers below whose prefix it lies, the longest prefix first, until one answers', async () => {
  expect(await request('/api/v1/runs')).toEqual({ met: ['/api/v1/runs', '/api/v1', '/'], result: 'no route' });
  expect(await request('/api/v1/runs', () => true)).toEqual({ met: ['/api/v1/runs'], result: 'answer of /api/v1/runs' });
  expect(await request('/api/v1/runsets/7')).toMatchObject({ met: ['/api/v1', '/'] });
  expect(await request('/')).toMatchObject({ met: ['/'] });
});

test('case and a slash at the end do not matter', async () => {
  expect(await request('/API/v1/Runs/')).toMatchObject({ met: ['/api/v1/runs', '/api/v1', '/'] });
  expect(await request('/mcp/')).toMatchObject({ met: ['/mcp', '/'] });
});

test('an error of a later router rejects', async () => {
  const failing = Object.assign(
    () => {
      throw new Error('broken');
    },
    { _name: 'midwayController(/)' },
  );
  const list = listOf([routerOf('/api', []), failing]);
  joinRouters(list);
  await expect(joinedIn(list)({ path: '/api/x' } as Context, async () => undefined)).rejects.toThrow('broken');
});

test('refuses a list without routers, so that a framework that names them otherwise is noticed', () => {
  expect(() => joinRouters(listOf([async () => undefined]))).toThrow('no router');
});
