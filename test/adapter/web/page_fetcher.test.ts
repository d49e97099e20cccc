import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isIP, type Socket } from 'node:net';
import { createPageFetcher, createRequester, type FetchLimits } from '../../../src/adapter/web/page_fetcher';
import { ARTICLE, type Site, startSite } from '../../support/site';

/** A public address in a block that was returned: no host has it. */
const UNUSED = '3ffe::1';
const noAbort = () => new AbortController().signal;

describe('page fetcher', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.stop());

  const fetch = (path: string, limits: Partial<FetchLimits> = {}) =>
    createPageFetcher({ allow: [site.host], limits }).fetch(path.startsWith('/') ? site.url(path) : path, noAbort());

  it('returns a page with its bytes, type and address', async () => {
    const page = await fetch('/article');
    expect(page).toMatchObject({ status: 200, contentType: 'text/html; charset=utf-8', finalUrl: site.url('/article'), clipped: false });
    expect(Buffer.from(page.bytes).toString()).toBe(ARTICLE);
    const { headers } = site.requests.at(-1) as Site['requests'][number];
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('referer');
  });

  it.each(['/gzip', '/brotli'])('decompresses %s', async path => {
    expect(Buffer.from((await fetch(path)).bytes).toString()).toBe(ARTICLE);
  });

  it.each(['/endless', '/huge', '/bomb'])('reads at most 2 MiB of %s and closes the connection', async path => {
    const page = await fetch(path);
    expect(page).toMatchObject({ clipped: true });
    expect(page.bytes.length).toBe(2 * 1024 * 1024);
    while ((await site.connections()) > 0) await new Promise(setImmediate);
  });

  it.each([
    ['/dripping', { totalMs: 300 }, 'too_slow'],
    ['/silent', { idleMs: 100 }, 'too_slow'],
    ['/broken', {}, 'unreachable'],
    ['/damaged', {}, 'unreadable'],
    ['/odd-packing', {}, 'unreadable'],
    ['/loop', {}, 'too_many_redirects'],
    ['/to-private', {}, 'forbidden_address'],
    ['/to-metadata', {}, 'forbidden_address'],
    ['/to-decimal', {}, 'forbidden_address'],
    ['/to-file', {}, 'bad_url'],
    ['/to-login', {}, 'bad_url'],
  ])('fails on %s with limits %j as %s', async (path, limits, code) => {
    await expect(fetch(path, limits)).rejects.toMatchObject({ name: 'WebError', code });
    while ((await site.connections()) > 0) await new Promise(setImmediate);
  });

  it('sends the user agent that it is given', async () => {
    const agents: unknown[] = [];
    const named = await startSite({
      '/': (response, request) => {
        agents.push(request.headers['user-agent']);
        response.end('ok');
      },
    });
    for (const userAgent of ['reader/1.0', undefined]) {
      const fetcher = createPageFetcher({ allow: [named.host], ...(userAgent !== undefined && { userAgent }) });
      await fetcher.fetch(named.url('/'), noAbort());
    }
    await named.stop();
    expect(agents).toEqual(['reader/1.0', expect.stringContaining('neta-gateway')]);
  });

  it('follows five redirects and refuses a sixth', async () => {
    expect(await fetch('/hop/5')).toMatchObject({ url: site.url('/hop/5'), finalUrl: site.url('/article'), status: 200 });
    await expect(fetch('/hop/5', { maxRedirects: 4 })).rejects.toMatchObject({ code: 'too_many_redirects' });
  });

  it('reports that no server listens', async () => {
    const other = await startSite();
    await other.stop();
    const fetcher = createPageFetcher({ allow: [other.host] });
    await expect(fetcher.fetch(other.url('/'), noAbort())).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('ends when it is cancelled', async () => {
    const cancel = new AbortController();
    const fetched = createPageFetcher({ allow: [site.host] }).fetch(site.url('/silent'), cancel.signal);
    cancel.abort(new Error('cancelled'));
    await expect(fetched).rejects.toThrow('cancelled');
  });

  it('sends no key after a redirect', async () => {
    const send = createRequester({ allow: [site.host] });
    const before = site.requests.length;
    await expect(send({ url: site.url('/hop/1'), headers: { authorization: 'Bearer secret' } }, noAbort())).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    expect(site.requests.length).toBe(before + 1);
  });

  describe('with names that resolve to', () => {
    const portOfSite = () => Number(site.host.split(':')[1]);
    const resolving = (...answers: string[][]) => {
      let asked = 0;
      const resolve = async () =>
        (answers[Math.min(asked++, answers.length - 1)] ?? []).map(address => ({ address, family: isIP(address) }));
      const limits = { totalMs: 1_000 };
      return { fetcher: createPageFetcher({ resolve, limits, allow: [`friend.example:${portOfSite()}`] }), asked: () => asked };
    };

    it.each([[['127.0.0.1']], [['10.0.0.5']], [['8.8.8.8', '192.168.0.1']], [['169.254.169.254']]])(
      'private addresses refuses to connect: %j',
      async addresses => {
        const before = site.requests.length;
        await expect(resolving(addresses).fetcher.fetch('http://evil.example:8080/', noAbort())).rejects.toMatchObject({
          code: 'forbidden_address',
        });
        expect(site.requests.length).toBe(before);
      },
    );

    it('a public address first and a private one later connects to the one that was checked, and nowhere else (DNS rebinding)', async () => {
      const tried: string[] = [];
      const watch = (message: unknown) =>
        (message as { socket: Socket }).socket.on('connectionAttempt', (address: string, port: number) => tried.push(`${address} ${port}`));
      subscribe('net.client.socket', watch);
      try {
        const { fetcher, asked } = resolving([UNUSED], ['127.0.0.1']);
        // No host answers there: the network refuses at once or stays silent.
        await expect(fetcher.fetch('http://rebind.example:8080/', noAbort())).rejects.toMatchObject({
          code: expect.stringMatching('unreachable|too_slow'),
        });
        expect([asked(), tried]).toEqual([1, [`${UNUSED} 8080`]]);
        await expect(fetcher.fetch('http://rebind.example:8080/', noAbort())).rejects.toMatchObject({ code: 'forbidden_address' });
        expect([asked(), tried]).toEqual([2, [`${UNUSED} 8080`]]);
      } finally {
        unsubscribe('net.client.socket', watch);
      }
    });

    it('a private address that the operator allowed by name connects, with one lookup per hop', async () => {
      const { fetcher, asked } = resolving(['127.0.0.1'], ['10.255.255.1']);
      const page = await fetcher.fetch(`http://friend.example:${portOfSite()}/article`, noAbort());
      expect([page.status, asked()]).toEqual([200, 1]);
    });

    it('nothing reports unknown_host', async () => {
      await expect(resolving([]).fetcher.fetch('http://nobody.example/', noAbort())).rejects.toMatchObject({ code: 'unknown_host' });
    });
  });
});
