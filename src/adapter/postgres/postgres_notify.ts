/**
 * Carries texts between gateways by LISTEN and NOTIFY, on two connections of their own: a NOTIFY inside a transaction of a run would make its commit
 * wait for those of all others. Whoever may connect to the database may listen to a channel, so its name is a secret that the database keeps.
 */
import type { Client } from 'pg';
import type { LogError } from '../../port/logger';
import type { NodeTransport } from '../nodes/node_transport';
import { nodeChannel } from './node_channel';
import { connectionConfig } from './postgres_address';
import { ServerClient, type ServerConfig } from './server_client';

/** Postgres carries at most 7,999 bytes. */
const MAX_BYTES = 7_800;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** While the server does not answer, later texts are lost rather than kept. */
const MAX_WAITING = 200;
/** Texts that one statement sends at most. */
const SENT_AT_ONCE = 20;
/** After a failure no text is sent for this time. */
const SENDER_REST_MS = 1_000;
/** The listener asks the server this often whether it is still there: a connection that broke silently brings no error. */
const LOOK_MS = 15_000;
/** The end of the gateway waits this long for the last texts. */
const CLOSE_MS = 1_000;

export class PostgresNotify implements NodeTransport {
  readonly maxBytes = MAX_BYTES;
  private sender: Promise<Client> | undefined;
  private listener: Client | undefined;
  private readonly waiting: string[] = [];
  private isSending = false;
  /** Resolves when nothing waits. */
  private sent: Promise<void> = Promise.resolve();
  private restsUntil = 0;
  private isClosed = false;
  private pauseMs = FIRST_PAUSE_MS;
  /** Listens again, or looks whether the server is there. */
  private timer: NodeJS.Timeout | undefined;
  private isAway = false;
  private foundChannel: string | undefined;
  private readonly config: ServerConfig;

  /** `onError` is called once for each time that the server is away. */
  constructor(
    url: string,
    private readonly onError: LogError,
  ) {
    // A text that is lost is in the store, so its commit waits for no disk.
    this.config = connectionConfig(url, { synchronous_commit: 'off', idle_session_timeout: 0 });
  }

  send(text: string): void {
    if (this.isClosed || this.waiting.length >= MAX_WAITING || performance.now() < this.restsUntil) return;
    this.waiting.push(text);
    if (!this.isSending) this.sent = this.sendWaiting();
  }

  receive(onText: (text: string) => void, onLoss: () => void): void {
    void this.listen(onText, onLoss);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    const end = async () => {
      await this.sent;
      const sender = await this.sender?.catch(() => undefined);
      await Promise.all([sender, this.listener].map(client => client?.end().catch(() => {})));
    };
    await Promise.race([end(), new Promise(resolve => setTimeout(resolve, CLOSE_MS).unref())]);
  }

  /** Sends what waits, in order. Texts that the server does not take are lost with those behind them: the others read the store. Never rejects. */
  private async sendWaiting(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const values = [this.waiting.splice(0, SENT_AT_ONCE)];
      try {
        this.sender ??= this.openSender();
        const client = await this.sender;
        const text = `select pg_notify('${await this.channel(client)}', text) from unnest($1::text[]) as text`;
        await client.query({ name: 'notify', text, values });
      } catch (thrown) {
        this.waiting.length = 0;
        this.restsUntil = performance.now() + SENDER_REST_MS;
        this.noteAway(thrown);
      }
    }
    this.isSending = false;
  }

  private openSender(): Promise<Client> {
    const forget = () => {
      if (this.sender === opening) this.sender = undefined;
    };
    const opening = this.connect(forget);
    opening.catch(forget);
    return opening;
  }

  /** Listens, and again on a new connection whenever one breaks. Never rejects. */
  private async listen(onText: (text: string) => void, onLoss: () => void): Promise<void> {
    let client: Client | undefined;
    let isOver = false;
    const again = () => {
      if (this.isClosed || isOver) return;
      isOver = true;
      this.listener = undefined;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.listen(onText, onLoss), this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    };
    try {
      client = await this.connect(again);
      this.listener = client;
      client.on('notification', ({ payload }) => onText(payload ?? ''));
      await client.query(`listen ${await this.channel(client)}`);
      this.pauseMs = FIRST_PAUSE_MS;
      this.isAway = false;
      if (this.isClosed) await client.end();
      else onLoss();
      this.look(client);
    } catch (thrown) {
      this.noteAway(thrown);
      client?.end().catch(() => {});
      again();
    }
  }

  /** Asks the server again and again; a connection that does not answer ends, and another one listens. */
  private look(client: Client): void {
    if (this.isClosed || this.listener !== client) return;
    this.timer = setTimeout(() => {
      this.assertWritable(client).then(
        () => this.look(client),
        () => this.leave(client),
      );
    }, LOOK_MS);
  }

  /** Another of several servers may have become the one that accepts writes, and carries the messages of the other gateways. */
  private async assertWritable(client: Client): Promise<void> {
    const { rows } = await client.query("select 1 where current_setting('transaction_read_only') = 'off'");
    if (rows.length === 0 && this.config.servers.isChosen) throw new Error('The server takes no writes any more.');
  }

  private leave(listener: Client): void {
    this.config.servers.forget();
    for (const leaving of [Promise.resolve(listener), this.sender]) leaving?.then(client => client.end()).catch(() => {});
  }

  /** The name of the channel: random, and the same for every gateway on this database. */
  private async channel(client: Client): Promise<string> {
    this.foundChannel ??= await nodeChannel(client);
    return this.foundChannel;
  }

  private noteAway(thrown: unknown): void {
    if (this.isAway || this.isClosed) return;
    this.isAway = true;
    this.onError('messages to and from other gateways are lost until the database answers', thrown);
  }

  private async connect(onEnd: () => void): Promise<Client> {
    const client = new ServerClient({ ...this.config, keepAliveInitialDelayMillis: 10_000 });
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      client.end().catch(() => {});
      onEnd();
    };
    client.on('error', end);
    client.on('end', end);
    try {
      await client.connect();
    } catch (thrown) {
      end();
      throw thrown;
    }
    return client;
  }
}
