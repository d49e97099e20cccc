/**
 * One Chromium for all test files of a run. The process of jest starts it when the first test asks for it, over HTTP, and closes it after the
 * last one; each test process connects to it and has browser contexts of its own.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright-core';
import { BROWSER_URL, startBrowserServer } from './browser';

interface SharedBrowser {
  server: Server;
  starting?: Promise<BrowserServer>;
}

/** jest loads the modules of its set-up and of its clean-up separately; both see this object. */
const shared = globalThis as { netaBrowser?: SharedBrowser };

export async function offerBrowser(): Promise<void> {
  const own: SharedBrowser = { server: createServer() };
  own.server.on('request', async (_request, response) => {
    try {
      own.starting ??= startBrowserServer();
      response.end((await own.starting).wsEndpoint());
    } catch (thrown) {
      response.writeHead(500).end(String(thrown));
    }
  });
  await once(own.server.listen(0, '127.0.0.1'), 'listening');
  process.env[BROWSER_URL] = `http://127.0.0.1:${(own.server.address() as AddressInfo).port}`;
  shared.netaBrowser = own;
}

export async function closeBrowser(): Promise<void> {
  shared.netaBrowser?.server.close();
  await (await shared.netaBrowser?.starting?.catch(() => undefined))?.close();
}
