/** A browser without pages: follows redirects and keeps cookies by host, port and path. */

export interface Visit {
  status: number;
  /** The address of the last answer. */
  url: string;
  headers: Headers;
  text: string;
}

export class CookieBrowser {
  private readonly jar = new Map<string, { value: string; path: string }>();
  /** Each address that was opened, oldest first. */
  readonly visited: string[] = [];

  /** Opens an address as a link does. `until`: stops before an address with this beginning, and returns it as `url`. */
  async open(address: string, { until, accept = 'text/html' }: { until?: string; accept?: string } = {}): Promise<Visit> {
    let url = address;
    for (let i = 0; i < 20; i += 1) {
      if (until !== undefined && url.startsWith(until)) return { status: 0, url, headers: new Headers(), text: '' };
      this.visited.push(url);
      const response = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookiesFor(url), accept } });
      this.keep(url, response);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null)
        return { status: response.status, url, headers: response.headers, text: await response.text() };
      await response.body?.cancel();
      url = new URL(location, url).href;
    }
    throw new Error(`too many redirects: ${this.visited.join(' ')}`);
  }

  /** Sends a request as a page of this origin does. */
  async send(method: string, url: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
    const { origin } = new URL(url);
    const headers = { cookie: this.cookiesFor(url), origin, 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    this.keep(url, response);
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  /** Returns the value of a cookie that an address would get; undefined without one. */
  cookie(url: string, name: string): string | undefined {
    return new RegExp(`(?:^|; )${name}=([^;]*)`).exec(this.cookiesFor(url))?.[1];
  }

  private cookiesFor(url: string): string {
    const { host, pathname } = new URL(url);
    const found = [...this.jar].filter(([name, { path }]) => name.startsWith(`${host} `) && pathname.startsWith(path));
    return found.map(([name, { value }]) => `${name.split(' ')[1]}=${value}`).join('; ');
  }

  private keep(url: string, { headers }: Response): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/';
      const key = `${new URL(url).host} ${name}`;
      if (/;\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(line)) this.jar.delete(key);
      else this.jar.set(key, { value, path });
    }
  }
}
