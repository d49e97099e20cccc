/** A push service on a free loopback port, and browsers that are subscribed at it: it takes messages, and a browser decrypts its own. */
import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushNotice } from '../../src/feature/push/push_writer';
import { until } from './until';

export interface ReceivedPush {
  headers: IncomingHttpHeaders;
  notice: PushNotice;
}

export interface PushedBrowser {
  /** What PushSubscription.toJSON() returns. */
  readonly subscription: { endpoint: string; expirationTime: null; keys: { p256dh: string; auth: string } };
  /** All messages so far. */
  readonly received: readonly ReceivedPush[];
  /** Resolves with the next message that no call has given yet. */
  next(): Promise<ReceivedPush>;
}

export interface PushService {
  /** host:port, for NETA_WEBHOOK_ALLOW. */
  readonly host: string;
  /** Subscribes a browser. `status`: how the service answers messages for it. */
  subscribe(status?: number): PushedBrowser;
  stop(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { status: number; receive: (headers: IncomingHttpHeaders, body: Buffer) => void }>();
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const browser = browsers.get(request.url ?? '');
    browser?.receive(request.headers, Buffer.concat(pieces));
    response.writeHead(browser?.status ?? 404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    subscribe(status = 201) {
      const path = `/send/${randomBytes(8).toString('hex')}`;
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url');
      const auth = randomBytes(16).toString('base64url');
      const received: ReceivedPush[] = [];
      let given = 0;
      browsers.set(path, {
        status,
        receive(headers, body) {
          received.push({ headers, notice: JSON.parse(decrypt(body, keys, Buffer.from(auth, 'base64url'))) });
        },
      });
      return {
        subscription: { endpoint: `http://${host}${path}`, expirationTime: null, keys: { p256dh, auth } },
        received,
        async next() {
          const push = await until(
            async () => received[given],
            found => found !== undefined,
          );
          given += 1;
          return push as ReceivedPush;
        },
      };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Decrypts a message of one record (RFC 8188, RFC 8291) as a browser does: salt, record size, the sender's point, text. */
function decrypt(body: Buffer, keys: ECDH, auth: Buffer): string {
  const [salt, point] = [body.subarray(0, 16), body.subarray(21, 21 + (body[20] ?? 0))];
  const derive = (secret: Uint8Array, salting: Uint8Array, info: Uint8Array | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salting, info, bytes));
  const shared = derive(keys.computeSecret(point), auth, Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), point]), 32);
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv('aes-128-gcm', key, derive(shared, salt, 'Content-Encoding: nonce\0', 12));
  const sealed = body.subarray(21 + point.length);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}
