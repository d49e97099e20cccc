/** Connections to one server, which are left together once the server takes no writes any more. */
import { type ClientBase, Pool, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { POOL_WAIT_MS } from './postgres_address';
import { PooledClient, type ServerConfig } from './server_client';

const IDLE_MS = 60_000;

export class ServerPool {
  private readonly pool: Pool;
  /** Counts, for each connection, the servers that the pool had left when the opening of the connection began. */
  private readonly ages = new WeakMap<ClientBase, number>();
  private age = 0;
  private readonly max: number;

  /** `max`: connections at most. */
  constructor(
    private readonly config: ServerConfig,
    more: { max: number } & Pick<PoolConfig, 'onConnect'>,
  ) {
    this.max = more.max;
    const noteAge = (client: ClientBase) => this.ages.set(client, this.age);
    class AgedClient extends PooledClient {
      constructor(own?: ServerConfig) {
        super(own);
        noteAge(this);
      }
    }
    this.pool = new Pool({ ...config, ...more, Client: AgedClient, connectionTimeoutMillis: POOL_WAIT_MS, idleTimeoutMillis: IDLE_MS });
    // The pool forgets a connection that breaks; the next caller opens another one.
    this.pool.on('error', () => {});
    this.pool.on('connect', client => {
      // The statement that fails reports the same error.
      client.on('error', () => {});
    });
  }

  /** True when the next caller would wait for a connection of another. */
  get isBusy(): boolean {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return this.max - totalCount + idleCount - waitingCount <= 0;
  }

  /** Resolves with a connection, in the order of the calls. Call its `release`. */
  async take(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect();
      if (this.ages.get(client) === this.age) return client;
      client.release(true);
    }
  }

  async query<R extends QueryResultRow>(query: string | QueryConfig): Promise<QueryResult<R>> {
    const client = await this.take();
    try {
      const result = await client.query<R>(query);
      client.release();
      return result;
    } catch (thrown) {
      // As the pool of the driver does: the connection may have broken.
      client.release(thrown as Error);
      throw thrown;
    }
  }

  /** The next connections are new ones, to the server that fits the address then. */
  leaveServer(): void {
    this.age += 1;
    this.config.servers.forget();
  }

  close(): Promise<void> {
    return this.pool.end();
  }
}
