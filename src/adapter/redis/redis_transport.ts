/**
 * Carries texts between gateways by the messages of Redis (PUBLISH), on two connections. Redis stores none of them: a text that is lost is in the store.
 * A cluster from Redis 7 on carries them within one shard (SPUBLISH), so that it does not repeat each at all its servers.
 */
import type { Redis, RedisOptions } from 'ioredis';
import type { LogError } from '../../port/logger';
import type { NodeTransport } from '../nodes/node_transport';
import { SEAL_BYTES, SealedTexts } from './sealed_texts';

const MAX_BYTES = 60_000;
const CONNECT_MS = 5_000;
const LONGEST_PAUSE_MS = 5_000;
/** While the server does not answer, later texts are lost rather than kept. */
const MAX_UNANSWERED = 1_000;
/** The server is asked this often whether it is still there: a connection that broke silently brings no error. */
const LOOK_MS = 15_000;
/** A command without an answer ends its connection after this time. */
const ANSWER_MS = 10_000;
/** The end of the gateway waits this long for the last texts. */
const CLOSE_MS = 1_000;

export interface RedisTransportDeps {
  /** redis:// or rediss:// */
  url: string;
  /** Reads the secret that all gateways of one database share, and no others. */
  readSecret: () => Promise<string>;
  /** Called once for each time that the server is away. */
  onError: LogError;
}

/** A connection, and whether its server belongs to a cluster that keeps messages within a shard. */
interface Link {
  client: Redis;
  isSharded: boolean;
  /** True once texts can be sent, or come. */
  isUsable: boolean;
  /** The server that the address names. */
  readonly home: Place;
  /** The server to which the next connection goes once: the one that has the shard, as `home` says. */
  moved: Place | undefined;
}

interface Place {
  host: string | undefined;
  port: number | undefined;
}

export class RedisTransport implements NodeTransport {
  readonly maxBytes = MAX_BYTES;
  private texts: SealedTexts | undefined;
  private sender: Link | undefined;
  private listener: Link | undefined;
  private unanswered = 0;
  private timer: NodeJS.Timeout | undefined;
  private onLoss = () => {};
  private isClosed = false;
  private isAway = false;
  private hasForeignTexts = false;

  constructor(private readonly deps: RedisTransportDeps) {}

  send(text: string): void {
    const { sender, texts } = this;
    if (this.isClosed || !sender?.isUsable || !texts || this.unanswered >= MAX_UNANSWERED) return;
    this.unanswered += 1;
    const { client, isSharded } = sender;
    const sealed = texts.seal(text);
    const sending = isSharded ? client.spublish(texts.channel, sealed) : client.publish(texts.channel, sealed);
    sending
      .catch(thrown => this.handleRefusal(sender, thrown))
      .finally(() => {
        this.unanswered -= 1;
      });
  }

  receive(onText: (text: string) => void, onLoss: () => void): void {
    this.onLoss = onLoss;
    void this.open(onText);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.listener?.client.disconnect();
    const { client } = this.sender ?? {};
    const ended = client?.quit().catch(() => {});
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, CLOSE_MS).unref())]);
    client?.disconnect();
  }

  /** Opens both connections. They connect again by themselves. Never rejects. */
  private async open(onText: (text: string) => void): Promise<void> {
    try {
      // Loaded on demand: most gateways use no Redis.
      const { Redis: Client } = await import('ioredis');
      this.texts ??= new SealedTexts(await this.deps.readSecret());
      if (this.isClosed) return;
      const { url } = this.deps;
      this.sender = this.follow(new Client(url, OPTIONS), async () => {});
      this.listener = this.follow(new Client(url, OPTIONS), link => this.subscribe(link));
      for (const event of ['messageBuffer', 'smessageBuffer'])
        this.listener.client.on(event, (_channel: Buffer, sealed: Buffer) => this.handleText(sealed, onText));
      // The shard has moved to another server.
      this.listener.client.on('sunsubscribe', () => this.listener?.client.disconnect(true));
      this.look();
    } catch (thrown) {
      this.noteAway(thrown);
      this.timer = setTimeout(() => void this.open(onText), LONGEST_PAUSE_MS);
    }
  }

  /** Calls `begin` on each new connection, and reports a loss when texts can be sent and come again. */
  private follow(client: Redis, begin: (link: Link) => Promise<unknown>): Link {
    const { host, port } = client.options;
    const link: Link = { client, isSharded: false, isUsable: false, home: { host, port }, moved: undefined };
    client.on('error', thrown => this.noteAway(thrown));
    client.on('close', () => {
      link.isUsable = false;
      // A server that had the shard may be gone, so the next question goes to the one of the address.
      Object.assign(client.options, link.moved ?? link.home);
      link.moved = undefined;
    });
    client.on('ready', async () => {
      try {
        link.isSharded = hasShards(await client.info());
        await begin(link);
        link.isUsable = true;
        if (!this.sender?.isUsable || !this.listener?.isUsable) return;
        this.isAway = false;
        this.onLoss();
      } catch (thrown) {
        this.handleRefusal(link, thrown);
      }
    });
    return link;
  }

  private async subscribe({ client, isSharded }: Link): Promise<void> {
    const channel = this.texts?.channel ?? '';
    await (isSharded ? client.ssubscribe(channel) : client.subscribe(channel));
  }

  private handleText(sealed: Buffer, onText: (text: string) => void): void {
    const text = sealed.length > MAX_BYTES + SEAL_BYTES ? undefined : this.texts?.open(sealed);
    if (text !== undefined) onText(text);
    if (text !== undefined || this.hasForeignTexts) return;
    this.hasForeignTexts = true;
    this.deps.onError('messages that no gateway of this database has sent come over Redis and are left out', `${sealed.length} bytes`);
  }

  /** Connects again: to the server that has the shard, when this one names it. */
  private handleRefusal(link: Link, thrown: unknown): void {
    const { client } = link;
    if (this.isClosed) return;
    const [, host, port] = /^MOVED \d+ (.*):(\d+)$/.exec(messageOf(thrown)) ?? [];
    if (port === undefined) this.noteAway(thrown);
    else link.moved = { host: host || client.options.host, port: Number(port) };
    // Many messages that are refused at once end one connection.
    if (client.status === 'ready') client.disconnect(true);
  }

  /** Asks both servers again and again; a connection whose server does not answer ends, and another one follows. */
  private look(): void {
    if (this.isClosed) return;
    for (const link of [this.sender, this.listener]) if (link?.isUsable) link.client.ping().catch(() => {});
    this.timer = setTimeout(() => this.look(), LOOK_MS);
  }

  private noteAway(thrown: unknown): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    // The error of the client holds the command, and AUTH has the password.
    this.deps.onError('messages to and from other gateways are lost until Redis answers', messageOf(thrown));
  }
}

const OPTIONS: RedisOptions = {
  connectTimeout: CONNECT_MS,
  socketTimeout: ANSWER_MS,
  disconnectTimeout: CLOSE_MS / 2,
  connectionName: 'neta-gateway',
  // Redis before 6, and some proxies, know this version alone.
  protocol: 2,
  // A text that cannot be sent now is lost: it would come late.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: tries => Math.min(LONGEST_PAUSE_MS, 50 * 2 ** Math.min(tries, 10)),
};

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** `info`: the answer to INFO. */
const hasShards = (info: string): boolean => /^cluster_enabled:1/m.test(info) && Number(/^redis_version:(\d+)/m.exec(info)?.[1] ?? 0) >= 7;
