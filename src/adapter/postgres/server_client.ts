/** Connections to the server that the address of the database asks for: of several, to the one that accepts writes now. */
import { Client, type ClientConfig } from 'pg';
import { type DatabaseAddress, hostText, type ServerHost, type SessionAttributes } from './database_address';
import { describePostgresError } from './postgres_errors';

/** Milliseconds until a connection must stand. */
export const CONNECT_MS = 5_000;

/** The present state of a server. */
interface ServerState {
  isStandby: boolean;
  isReadOnly: boolean;
}

interface FoundServer {
  host: ServerHost;
  isStandby: boolean;
}

export interface ServerConfig extends ClientConfig {
  servers: Servers;
}

/** Finds the server among the hosts of an address, and keeps it until a connection to it fails. */
export class Servers {
  private finding: Promise<FoundServer> | undefined;

  /** `config`: how to connect to any of them. */
  constructor(
    private readonly address: DatabaseAddress,
    private readonly config: ClientConfig,
  ) {}

  /** False: there is nothing to choose, and any server will do. */
  get isChosen(): boolean {
    return this.address.hosts.length > 1 || this.address.attributes !== 'any';
  }

  /** Resolves with the first host that fits. Rejects with what each of them is. */
  find(): Promise<FoundServer> {
    const finding = this.finding ?? this.tryHosts();
    this.finding = finding;
    finding.catch(() => this.forget());
    return finding;
  }

  forget(): void {
    this.finding = undefined;
  }

  private async tryHosts(): Promise<FoundServer> {
    const { hosts, attributes } = this.address;
    const found: string[] = [];
    let fallback: FoundServer | undefined;
    for (const host of hosts) {
      try {
        const state = await this.look(host);
        const server = { host, isStandby: state.isStandby };
        if (fits(attributes, state)) return server;
        if (attributes === 'prefer-standby') fallback ??= server;
        found.push(`${hostText(host)} is ${state.isStandby ? 'a standby' : state.isReadOnly ? 'read-only' : 'a primary'}`);
      } catch (thrown) {
        found.push(`${hostText(host)}: ${describePostgresError(thrown)}`);
      }
    }
    if (fallback) return fallback;
    throw new Error(`no server fits target_session_attrs=${attributes} (${found.join('; ')})`);
  }

  private async look(host: ServerHost): Promise<ServerState> {
    const client = new Client(this.config);
    client.on('error', () => {});
    Object.assign(client, host);
    try {
      await client.connect();
      return await readState(client);
    } finally {
      client.end().catch(() => {});
    }
  }
}

/** A client that connects to the server which `servers` finds. */
export class ServerClient extends Client {
  private readonly servers: Servers | undefined;

  /** A pool passes on its configuration, which has the servers. */
  constructor(config?: ServerConfig) {
    super(config);
    this.servers = config?.servers;
    // The statement that fails reports the same error.
    this.on('error', () => {});
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    const connected = this.connectToServer();
    if (!callback) return connected;
    // The pool takes a call without an error for success.
    connected.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  private async connectToServer(): Promise<Client> {
    if (!this.servers?.isChosen) return super.connect();
    const { host, isStandby } = await this.servers.find();
    Object.assign(this, host);
    try {
      await super.connect();
      // A setting of this connection may be read-only, so only the role is compared.
      if ((await readState(this)).isStandby !== isStandby) throw new Error(`${hostText(host)} has changed its role`);
      return this;
    } catch (thrown) {
      this.servers.forget();
      this.end().catch(() => {});
      throw thrown;
    }
  }
}

/** A client of a pool: it waits for its server no longer than any other client does, however long others wait for a client of the pool. */
export class PooledClient extends ServerClient {
  constructor(config?: ServerConfig) {
    super(config && { ...config, connectionTimeoutMillis: CONNECT_MS });
  }
}

async function readState(client: Client): Promise<ServerState> {
  const { rows } = await client.query<ServerState>(
    `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  );
  return rows[0] ?? { isStandby: false, isReadOnly: false };
}

function fits(attributes: SessionAttributes, { isStandby, isReadOnly }: ServerState): boolean {
  switch (attributes) {
    case 'any':
      return true;
    case 'read-write':
      return !isStandby && !isReadOnly;
    case 'read-only':
      return isStandby || isReadOnly;
    case 'primary':
      return !isStandby;
    case 'standby':
    case 'prefer-standby':
      return isStandby;
  }
}
