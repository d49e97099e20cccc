/** Midway's configuration, made from the settings of the gateway. */

import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import * as socketParser from '../src/gateway/socket_parser';
import { createServerOptions } from '../src/middleware/http_server';
import { ProxyTrust } from '../src/middleware/proxy_trust';
import { isJsonBody, MAX_BODY_BYTES, toBodyError } from '../src/wire/json_body';
import { readSettings } from './settings';

const YEAR_S = 31_536_000;
/** The most bytes of a frame. A message may have a quarter of that; a longer message gets an error ack when its frame fits. */
const MAX_SOCKET_MESSAGE = 1024 * 1024;
/** Time in milliseconds within which a connection must send CONNECT. */
const CONNECT_LIMIT_MS = 10_000;

/** Keeps the assets, which have a row of their own, from being held in memory twice. */
const isPage = (path: string): boolean => !path.startsWith('assets');

/** The parser accepts values of any kind and `__proto__` keys; later checks refuse them and name the field. */
const BODY_PARSER = {
  enableTypes: ['json'],
  jsonLimit: MAX_BODY_BYTES,
  strict: false,
  onProtoPoisoning: 'ignore',
  detectJSON: (ctx: { req: IncomingMessage }) => isJsonBody(ctx.req.headers),
  onerror: (thrown: unknown, { req, state }: { req: IncomingMessage; state: { route?: { longField?: string } } }) => {
    throw toBodyError(thrown, req.headers, state.route?.longField);
  },
};

export default ({ appDir }: { appDir: string }) => {
  const settings = readSettings(process.env, appDir);
  const trust = new ProxyTrust(settings.trustedProxies, settings.basePath);
  return {
    // Midway requires a key for signed cookies; the gateway sets none.
    keys: ['neta-gateway'],
    session: { enable: false },
    koa: {
      port: settings.port,
      hostname: settings.host,
      serverTimeout: 0,
      serverOptions: createServerOptions(request => trust.innerUrl(request)),
    },
    bodyParser: BODY_PARSER,
    siteFile: { enable: false },
    socketIO: {
      // Answer requests that offer another protocol instead of closing their connection.
      destroyUpgrade: false,
      cors: settings.origins.length > 0 ? { origin: settings.origins } : undefined,
      parser: socketParser,
      connectTimeout: CONNECT_LIMIT_MS,
      serveClient: false,
      perMessageDeflate: false,
      httpCompression: false,
      maxHttpBufferSize: MAX_SOCKET_MESSAGE,
    },
    staticFile: {
      dirs: {
        // The names of built assets hold a hash of their content.
        default: { prefix: '/assets', dir: join(appDir, 'dist/web/assets'), maxAge: YEAR_S },
        // Browsers ask for pages and for the service worker each time, so that a new version reaches them at once.
        // A prefix would make the component answer ranges of every route.
        pages: { prefix: '', dir: join(appDir, 'dist/web'), alias: { '/': '/index.html' }, filter: isPage, cacheControl: 'no-cache' },
      },
      dynamic: false,
      preload: true,
      buffer: true,
      gzip: true,
    },
    midwayLogger: {
      default: { dir: join(settings.dataDir, 'logs'), level: 'warn', transports: { console: false } },
    },
  };
};
