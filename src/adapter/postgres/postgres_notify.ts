/**
 * Carries texts between gateways by LISTEN and NOTIFY, on two connections of their own: a NOTIFY inside a transaction of a run would make its commit
 * wait for those of all others.
 */
import { Client } from 'pg';
import type { NodeTransport } from '../nodes/node_transport';
import { connectionConfig } from './postgres_address';

const CHANNEL = 'neta_nodes';
/** Postgres carries at most 7,999 bytes. */
const MAX_BYTES = 7_800;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** While the server does not answer, later texts are lost rather than kept. */
const MAX_WAITING = 200;
/** Texts that one statement sends at most. */
const SENT_AT_ONCE = 20;

export class PostgresNotify implements NodeTransport {
  readonly maxBytes = MAX_BYTES;
  private sender: Promise<Client> | undefined;
  private listener: Client | undefined;
  private readonly waiting: string[] = [];
  private isSending = false;
  /** Resolves when nothing waits. */
  private sent: Promise<void> = Promise.resolve();
  private isClosed = false;
  private pauseMs = FIRST_PAUSE_MS;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly url: string) {}

  send(text: string): void {
    if (this.isClosed || this.waiting.length >= MAX_WAITING) return;
    this.waiting.push(text);
    if (!this.isSending) this.sent = this.sendWaiting();
  }

  receive(onText: (text: string) => void, onLoss: () => void): void {
    void this.listen(onText, onLoss);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.sent;
    const sender = await this.sender?.catch(() => undefined);
    await Promise.all([sender, this.listener].map(client => client?.end().catch(() => {})));
  }

  /** Sends what waits, in order. Texts that the server does not take are lost with those behind them: the others read the store. Never rejects. */
  private async sendWaiting(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const texts = this.waiting.splice(0, SENT_AT_ONCE);
      try {
        this.sender ??= this.openSender();
        const client = await this.sender;
        await client.query({
          name: 'notify',
          text: `select pg_notify('${CHANNEL}', text) from unnest($1::text[]) as text`,
          values: [texts],
        });
      } catch {
        // A server that is away would hold up the next texts, and the stop of the gateway.
        this.waiting.length = 0;
      }
    }
    this.isSending = false;
  }

  private openSender(): Promise<Client> {
    const opening = this.connect(() => {
      if (this.sender === opening) this.sender = undefined;
    });
    opening.catch(() => {
      if (this.sender === opening) this.sender = undefined;
    });
    return opening;
  }

  /** Listens, and again on a new connection whenever one breaks. Never rejects. */
  private async listen(onText: (text: string) => void, onLoss: () => void): Promise<void> {
    const again = () => {
      if (this.isClosed || this.timer) return;
      this.timer = setTimeout(() => {
        this.timer = undefined;
        void this.listen(onText, onLoss);
      }, this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    };
    try {
      const client = await this.connect(again);
      client.on('notification', ({ payload }) => onText(payload ?? ''));
      await client.query(`listen ${CHANNEL}`);
      this.listener = client;
      this.pauseMs = FIRST_PAUSE_MS;
      if (this.isClosed) await client.end();
      else onLoss();
    } catch {
      again();
    }
  }

  private async connect(onEnd: () => void): Promise<Client> {
    const client = new Client(connectionConfig(this.url, {}));
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
