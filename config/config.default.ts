/** Midway settings, made from the gateway's settings. */
import { join } from 'node:path';
import { readSettings } from './settings';

const YEAR_S = 31_536_000;
const MAX_BODY = '1mb';
const MAX_SOCKET_MESSAGE = 1024 * 1024;

export default ({ appDir }: { appDir: string }) => {
  const settings = readSettings(process.env, appDir);
  return {
    // Signs cookies, of which there are none.
    keys: ['neta-gateway'],
    session: { enable: false },
    koa: { port: settings.port, hostname: settings.host, serverTimeout: 0 },
    bodyParser: { enableTypes: ['json'], jsonLimit: MAX_BODY },
    siteFile: { enable: false },
    socketIO: {
      ...(settings.origins.length > 0 && { cors: { origin: settings.origins } }),
      serveClient: false,
      perMessageDeflate: false,
      httpCompression: false,
      maxHttpBufferSize: MAX_SOCKET_MESSAGE,
    },
    staticFile: {
      dirs: {
        // The names of built assets hold a hash of their content.
        default: { prefix: '/assets', dir: join(appDir, 'dist/web/assets'), maxAge: YEAR_S },
        pages: { prefix: '/', dir: join(appDir, 'dist/web'), alias: { '/': '/index.html' } },
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
