/**
 * Reads lists from a replica, and from the primary where the replica cannot answer. Before each read the primary is asked how far its log goes; the
 * replica answers once it has come so far. A list thus has everything that was committed at any gateway before the list was asked for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import type { PoolClient } from 'pg';
import type { Runner } from '../sql/base/query_template';
import { replicaConfig } from './postgres_address';
import { describePostgresError, replicaFault, toStoreError } from './postgres_errors';
import type { PostgresReader } from './postgres_reader';
import { toQueryConfig } from './postgres_values';
import { ServerPool } from './server_pool';

const MAX_CONNECTIONS = 4;
/** Default of `maxLagMs`. */
const MAX_LAG_MS = 250;
/** Milliseconds between two looks at a replica that is behind: at first, and at most; the pause doubles. */
const PAUSE_MS = { first: 4, most: 32 };
/** Milliseconds for which a replica that was away, or behind, is left alone. */
const LEAVE_MS = 5_000;

/** The end of the log of the primary, and what tells its database from others. */
interface Position {
  lsn: string;
  channel: string | null;
}

const CHANNEL = "select value as channel from settings where key = 'node_channel'";
/** Only what is flushed was acknowledged, and only that is sent to replicas. */
const POSITION = `select pg_current_wal_flush_lsn()::text as lsn, (${CHANNEL}) as channel`;
/** A server that is no replica never has the position. */
const HAS_POSITION = 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as "isCurrent"';

export class ReplicaReader implements Runner {
  private readonly pool: ServerPool;
  /** Connections to a server with the database of the primary. */
  private readonly checkedClients = new WeakSet<PoolClient>();
  private positionQuestion: Promise<Position> | undefined;
  /** Until then, of the monotonic clock, the primary answers every list. */
  private leftUntil = 0;
  /** True from a fault of the replica until it answers a list again. */
  private isLeft = false;

  /**
   * `onChange` gets a sentence for operators when lists begin to come from the other server.
   * `maxLagMs`: milliseconds that a list waits for the replica; then the primary answers.
   */
  constructor(
    url: string,
    private readonly primary: PostgresReader,
    private readonly onChange: (sentence: string) => void,
    private readonly maxLagMs = MAX_LAG_MS,
  ) {
    this.pool = new ServerPool(replicaConfig(url, { default_transaction_read_only: 'on' }), { max: MAX_CONNECTIONS });
  }

  async rows<R>(query: CompiledQuery<R>): Promise<R[]> {
    if (performance.now() < this.leftUntil) return this.primary.rows(query);
    const position = await this.readPosition();
    // A list that waited for others would say nothing about the replica.
    const client = this.pool.isBusy ? undefined : await this.takeClient(position);
    if (!client) return this.primary.rows(query);
    try {
      const { rows } = await client.query(toQueryConfig(query));
      client.release();
      this.noteAnswer();
      return rows as R[];
    } catch (thrown) {
      client.release(thrown as Error);
      const fault = replicaFault(thrown);
      if (fault === 'statement') throw toStoreError(thrown);
      if (fault === 'server') this.leave(describePostgresError(thrown));
      return this.primary.rows(query);
    }
  }

  /** Readers change nothing; the server refuses a change. */
  async changes(query: CompiledQuery): Promise<number> {
    return (await this.rows(query)).length;
  }

  async write(query: CompiledQuery): Promise<void> {
    await this.rows(query);
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  /** Reads that begin in the same moment share the question; a later read must not, because more may be committed by then. */
  private readPosition(): Promise<Position> {
    this.positionQuestion ??= Promise.resolve().then(() => {
      this.positionQuestion = undefined;
      return this.primary.row<Position>(POSITION);
    });
    return this.positionQuestion;
  }

  /** Resolves with a connection whose server has the position, or undefined when there is none in time. */
  private async takeClient(position: Position): Promise<PoolClient | undefined> {
    const end = performance.now() + this.maxLagMs;
    const taking = this.clientAt(position, end);
    const late = new AbortController();
    try {
      const client = await Promise.race([taking, delay(this.maxLagMs, undefined, { signal: late.signal })]);
      if (client) return client;
      taking.then(
        taken => taken?.release(),
        () => {},
      );
      this.leave(`it does not have what the primary stored ${this.maxLagMs} ms ago`);
    } catch (thrown) {
      this.leave(describePostgresError(thrown));
    } finally {
      late.abort();
    }
    return undefined;
  }

  private async clientAt({ lsn, channel }: Position, end: number): Promise<PoolClient | undefined> {
    const client = await this.pool.take();
    try {
      for (let pauseMs = PAUSE_MS.first; performance.now() < end; pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)) {
        const { rows } = await client.query<{ isCurrent: boolean | null }>(HAS_POSITION, [lsn]);
        if (rows[0]?.isCurrent) {
          await this.assertDatabase(client, channel);
          return client;
        }
        await delay(pauseMs);
      }
    } catch (thrown) {
      client.release(true);
      throw thrown;
    }
    client.release();
    return undefined;
  }

  private async assertDatabase(client: PoolClient, channel: string | null): Promise<void> {
    if (this.checkedClients.has(client)) return;
    const { rows } = await client.query<Pick<Position, 'channel'>>(CHANNEL);
    if ((rows[0]?.channel ?? null) !== channel) throw new Error('it has another database than the primary');
    this.checkedClients.add(client);
  }

  private noteAnswer(): void {
    if (!this.isLeft) return;
    this.isLeft = false;
    this.onChange('The replica of DATABASE_READ_URL answers lists again.');
  }

  /** Leaves the lists of the next seconds to the primary. `reason`: for the operator. */
  private leave(reason: string): void {
    this.leftUntil = performance.now() + LEAVE_MS;
    this.pool.leaveServer();
    if (this.isLeft) return;
    this.isLeft = true;
    this.onChange(`The primary answers lists, because the replica of DATABASE_READ_URL cannot: ${reason}.`);
  }
}
