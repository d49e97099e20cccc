import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { generate } from 'selfsigned';
import { createSystemClock } from '../../../src/adapter/local/node/clock';
import { SharedNodeBus } from '../../../src/adapter/nodes/shared_node_bus';
import { RedisTransport } from '../../../src/adapter/redis/redis_transport';
import { SealedTexts } from '../../../src/adapter/redis/sealed_texts';
import { describeNodeBusContract } from '../../contract/node_bus_contract';
import { describeWithRedis, type RedisServer, type RedisServerOptions, startRedis } from '../../support/redis_server';
import { until } from '../../support/until';

const clock = createSystemClock();
const PASSWORD = 'a pass/word@of:redis';
const onBusError = (message: string) => {
  throw new Error(message);
};

/** Errors that the transports of a test have told, as the log would show them. */
const told: string[] = [];
const onError = (message: string, thrown: unknown) => void told.push(`${message}: ${thrown}`);

function openNode(url: string, self: string, secret = 'secret of the database'): SharedNodeBus {
  return new SharedNodeBus({
    transport: new RedisTransport({ url, readSecret: async () => secret, onError }),
    clock,
    self,
    onError: onBusError,
  });
}

beforeEach(() => {
  told.length = 0;
});

/** Passes on to a server, and says that the shard has moved to a port where nothing listens. */
async function startMovingProxy(target: string): Promise<{ url: string; moves(): number; disarm(): void; close(): void }> {
  const { port } = new URL(target);
  const sockets = new Set<Socket>();
  let isArmed = true;
  let moves = 0;
  const proxy = createServer(client => {
    const server = connect(Number(port), '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (socket === client ? server : client).destroy());
    }
    server.pipe(client);
    client.on('data', (bytes: Buffer) => {
      if (!isArmed || !bytes.includes('ssubscribe')) return void server.write(bytes);
      moves += 1;
      client.write('-MOVED 1 127.0.0.1:1\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = new URL(target);
  own.port = String((proxy.address() as AddressInfo).port);
  return {
    url: own.href,
    moves: () => moves,
    disarm() {
      isArmed = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

const SERVERS: [string, RedisServerOptions][] = [
  ['Redis with a password', { password: PASSWORD }],
  ['a cluster of Redis', { isCluster: true }],
];

describeWithRedis('messages over Redis', () => {
  describe.each(SERVERS)('with %s', (name, options) => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis(options);
    });
    afterAll(() => server?.stop());

    describeNodeBusContract(name, self => openNode(server.url, self));

    /** Opens two nodes that hear each other. */
    const openPair = async () => {
      const [a, b] = [openNode(server.url, 'a'), openNode(server.url, 'b')];
      a.announce('readers', 'ses_a');
      b.announce('readers', 'ses_b');
      await until(() => a.isAnnounced('readers', 'ses_b') && b.isAnnounced('readers', 'ses_a'));
      return { a, b, close: () => Promise.all([a.close(), b.close()]) };
    };

    it('connects again after the server is back, says once that it was away, and that messages may be lost', async () => {
      const { a, b, close } = await openPair();
      try {
        let losses = 0;
        b.onLoss(() => losses++);
        await server.kill();
        await until(() => told.length === 2);
        for (let i = 0; i < 20; i++) {
          a.publish('jobs', { i });
          a.flush();
        }
        await server.restart();
        await until(() => losses > 0);
        a.announce('readers', 'ses_later');
        await until(() => b.isAnnounced('readers', 'ses_later'));
        expect(told).toHaveLength(2);
        for (const line of told) expect(line).toMatch(/^messages to and from other gateways are lost until Redis answers: /);
      } finally {
        await close();
      }
    });

    it('carries messages within a shard only in a cluster', async () => {
      const { close } = await openPair();
      const { channel } = new SealedTexts('secret of the database');
      try {
        const count = async (command: string) => Number(((await server.admin.call('pubsub', command, channel)) as unknown[])[1]);
        expect([await count('numsub'), await count('shardnumsub')]).toEqual(options.isCluster ? [0, 2] : [2, 0]);
      } finally {
        await close();
      }
    });
  });

  describe('with other programs on the same server', () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis({ password: PASSWORD });
    });
    afterAll(() => server?.stop());

    it('hears no gateway of another database, whatever the number of the Redis database', async () => {
      const [own, other] = [openNode(`${server.url}/1`, 'a'), openNode(`${server.url}/2`, 'b')];
      const stranger = openNode(server.url, 'c', 'secret of another database');
      try {
        stranger.announce('readers', 'ses_strange');
        own.announce('readers', 'ses_own');
        await until(() => other.isAnnounced('readers', 'ses_own'));
        expect(own.isAnnounced('readers', 'ses_strange')).toBe(false);
        expect(stranger.isAlone).toBe(true);
      } finally {
        await Promise.all([own, other, stranger].map(node => node.close()));
      }
    });

    it('leaves out what no gateway has sent, and says so once', async () => {
      const node = openNode(server.url, 'a');
      const friend = openNode(server.url, 'b');
      const { channel } = new SealedTexts('secret of the database');
      const forged = new SealedTexts('a guess').seal('{"v":1,"node":"x","n":1,"messages":[["jobs",{}]]}');
      let heard = 0;
      node.subscribe('jobs', () => heard++);
      try {
        friend.announce('readers', 'ses_1');
        await until(() => node.isAnnounced('readers', 'ses_1'));
        for (const message of ['', 'x', '{"v":1}', forged, Buffer.alloc(1_000_000, 1)]) await server.admin.publish(channel, message);
        friend.publish('jobs', {});
        await until(() => heard === 1);
        const left = 'messages that no gateway of this database has sent come over Redis and are left out: 0 bytes';
        expect(told).toEqual([left, left]);
      } finally {
        await Promise.all([node.close(), friend.close()]);
      }
    });

    it('shows nothing of a message to other programs', async () => {
      const [a, b] = [openNode(server.url, 'a'), openNode(server.url, 'b')];
      const seen: Buffer[] = [];
      const spy = server.admin.duplicate();
      spy.on('pmessageBuffer', (_pattern, _channel, message: Buffer) => seen.push(message));
      try {
        await spy.psubscribe('*');
        a.announce('readers', 'ses_secret');
        await until(() => b.isAnnounced('readers', 'ses_secret'));
        expect(seen.length).toBeGreaterThan(0);
        for (const message of seen) expect(message.toString('latin1')).not.toMatch(/ses_secret|readers/);
      } finally {
        spy.disconnect();
        await Promise.all([a.close(), b.close()]);
      }
    });

    it('never tells a password that the server refuses', async () => {
      const wrong = 'the-wrong-password';
      const node = openNode(server.url.replace(encodeURIComponent(PASSWORD), wrong), 'a');
      await until(() => told.length > 0);
      await node.close();
      expect(told.join()).not.toContain(wrong);
      expect(told).toHaveLength(1);
    });
  });

  it('finds the shard again after the server to which it was sent is gone', async () => {
    const server = await startRedis({ isCluster: true });
    const proxy = await startMovingProxy(server.url);
    const [node, friend] = [openNode(proxy.url, 'a'), openNode(server.url, 'b')];
    try {
      await until(() => proxy.moves() > 1);
      proxy.disarm();
      friend.announce('readers', 'ses_1');
      await until(() => node.isAnnounced('readers', 'ses_1'));
    } finally {
      await Promise.all([node.close(), friend.close()]);
      proxy.close();
      await server.stop();
    }
  });

  it('checks the certificate of a server with TLS', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'neta-redis-'));
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'redis' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
    const tls = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    await Promise.all([writeFile(tls.certificate, cert), writeFile(tls.key, key)]);
    const server = await startRedis({ password: PASSWORD, tls });
    const opened = [openNode(server.url, 'stranger')];
    const trusted = getCACertificates('default');
    try {
      await until(() => told.length > 0);
      expect(told).toEqual([expect.stringMatching(/are lost until Redis answers: .*certificate/)]);
      setDefaultCACertificates([...trusted, cert]);
      const [a, b] = [openNode(server.url, 'a'), openNode(server.url, 'b')];
      opened.push(a, b);
      a.announce('readers', 'ses_1');
      await until(() => b.isAnnounced('readers', 'ses_1'));
    } finally {
      setDefaultCACertificates(trusted);
      await Promise.all(opened.map(node => node.close()));
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('ends soon when no server answers', async () => {
    const node = openNode('redis://127.0.0.1:1', 'a');
    await until(() => told.length > 0);
    node.announce('readers', 'ses_1');
    const started = performance.now();
    await node.close();
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('a sealed text', () => {
  const own = new SealedTexts('secret');

  it('opens for those who share the secret, and for no others', () => {
    const sealed = own.seal('a text: 花');
    expect(new SealedTexts('secret').open(sealed)).toBe('a text: 花');
    expect(new SealedTexts('other').open(sealed)).toBeUndefined();
    expect(new SealedTexts('other').channel).not.toBe(own.channel);
  });

  it('does not open when any byte of it has changed', () => {
    const sealed = own.seal('x');
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(own.open(changed)).toBeUndefined();
    }
    expect(own.open(sealed.subarray(0, 27))).toBeUndefined();
  });
});
