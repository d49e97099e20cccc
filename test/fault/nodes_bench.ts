/** Several gateways on one Postgres, each behind a network of its own and with a clock of its own, and a balancer in front of them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { connectionConfig } from '../../src/adapter/postgres/postgres_address';
import { openPostgresStore } from '../../src/adapter/postgres/postgres_store';
import { PooledClient } from '../../src/adapter/postgres/server_client';
import { type Balancer, startBalancer } from '../support/balancer';
import { type DelayProxy, startDelayProxy, throughProxy } from '../support/delay_proxy';
import { type Gateway, startGateway } from '../support/gateway';
import { type PostgresServer, type StandbyServer, startPostgres } from '../support/postgres_server';
import { STORE_PARTS } from '../support/store_parts';
import type { Violation } from './client_record';
import { checkCluster, checkDeadlocks, watchActiveRuns } from './cluster_checks';
import { freePort, playRound, type RoundResult, type RoundSite } from './fault_bench';
import { NOTES_FILE } from './plans';
import type { Random } from './random';
import { type ScriptedModel, startScriptedModel } from './scripted_model';

/** A gateway of the bench. */
export interface FaultNode {
  readonly gateway: Gateway;
  /** Port of its doors. */
  readonly port: number;
  /** Between the gateway and Postgres. */
  readonly network: DelayProxy;
}

/** What a fault may harm. */
export interface Cluster {
  readonly nodes: readonly FaultNode[];
  readonly balancer: Balancer;
  readonly server: PostgresServer;
  readonly standby: StandbyServer | undefined;
}

/** Harms the cluster while the crowd works. Resolves with the number of faults when all of it is well again. */
export type NodesHindrance = (cluster: Cluster) => Promise<number>;

export interface NodesBench {
  readonly nodes: readonly FaultNode[];
  round(name: string, hinder: NodesHindrance): Promise<RoundResult>;
  /** Checks what must hold for the whole database. */
  checkCluster(): Promise<Violation[]>;
  stop(): Promise<void>;
}

/** A gateway that was away needs time to find out what it has lost. */
const REST_LIMIT_MS = 60_000;
const LEFTOVER_LIMIT_MS = 10_000;
/** Makes a deadlock visible at once; the usual second hides it behind other waits. */
const POSTGRES_SETTINGS = ['deadlock_timeout=100ms'];

export interface NodesOptions {
  count: number;
  /** Milliseconds by which the clock of each node is ahead, by index. Default 0. */
  clocksAheadMs?: readonly number[];
  /** The directory of a build. */
  root?: string;
  /** Starts a synchronous standby. */
  withStandby?: boolean;
}

export async function startNodesBench(
  random: Random,
  { count, clocksAheadMs = [], root, withStandby = false }: NodesOptions,
): Promise<NodesBench> {
  const server = await startPostgres(POSTGRES_SETTINGS);
  const model = await startScriptedModel();
  const home = await mkdtemp(join(tmpdir(), 'neta-nodes-'));
  const standby = withStandby ? await server.startStandby({ isSynchronous: true }) : undefined;
  const primaryUrl = await server.createDatabase();
  // The checks go to the server that accepts writes, too.
  const databaseUrl = withHost(primaryUrl, standby);
  const nodes: FaultNode[] = [];
  for (let i = 0; i < count; i += 1) {
    const clockFile = join(home, `clock${i}`);
    await writeFile(clockFile, String(clocksAheadMs[i] ?? 0));
    nodes.push(await startNode({ primaryUrl, standby, model, clockFile, workspace: nodes[0]?.gateway.workspace, root }));
  }
  const balancer = await startBalancer(nodes.map(({ port }) => port));
  // A pool connects again after an end of the server.
  const client = new Pool({ ...connectionConfig(databaseUrl, {}), Client: PooledClient, max: 1 });
  client.on('error', () => {});
  const openStore = () => openPostgresStore({ parts: STORE_PARTS, url: databaseUrl });
  const site: RoundSite = {
    url: balancer.url,
    workspace: nodes[0]!.gateway.workspace,
    openStore,
    model,
    random,
    restLimitMs: REST_LIMIT_MS,
    leftoverLimitMs: LEFTOVER_LIMIT_MS,
  };
  return {
    nodes,
    async round(name, hinder) {
      const watch = watchActiveRuns(client);
      const result = await playRound(site, name, () => hinder({ nodes, balancer, server, standby })).finally(() => watch.stop());
      return { ...result, violations: [...result.violations, ...(await watch.stop()), ...(await checkDeadlocks(client))] };
    },
    async checkCluster() {
      const store = await openStore();
      return checkCluster(client, store.read, balancer.url).finally(() => store.close());
    },
    async stop() {
      await stopAll({ nodes, balancer, client, model, server, home });
      await standby?.stop();
    },
  };
}

/** Adds a standby behind the host of an address. */
const withHost = (url: string, standby: StandbyServer | undefined): string =>
  standby === undefined ? url : url.replace(/:\d+\//, port => `${port.slice(0, -1)},127.0.0.1:${standby.port}/`);

interface NodeParts {
  primaryUrl: string;
  standby: StandbyServer | undefined;
  model: ScriptedModel;
  clockFile: string;
  workspace: string | undefined;
  root: string | undefined;
}

async function startNode({ primaryUrl, standby, model, clockFile, workspace, root }: NodeParts): Promise<FaultNode> {
  const network = await startDelayProxy({ targetPort: Number(new URL(primaryUrl).port) });
  const port = await freePort();
  const env = {
    PORT: String(port),
    DATABASE_URL: withHost(throughProxy(primaryUrl, network), standby),
    ...(standby && { DATABASE_READ_URL: primaryUrl.replace(/:\d+\//, `:${standby.port}/`) }),
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_API_KEY: 'none',
    NODE_OPTIONS: `--require ${join(__dirname, '../support/shifted_clock.cjs')}`,
    NETA_TEST_CLOCK_FILE: clockFile,
    ...(workspace !== undefined && { NETA_WORKSPACE: workspace }),
  };
  const gateway = await startGateway({ env, files: { [NOTES_FILE]: 'Nothing to note.\n' }, ...(root !== undefined && { root }) });
  return { gateway, port, network };
}

interface AllParts {
  nodes: readonly FaultNode[];
  balancer: Balancer;
  client: Pool;
  model: ScriptedModel;
  server: PostgresServer;
  home: string;
}

async function stopAll({ nodes, balancer, client, model, server, home }: AllParts): Promise<void> {
  await balancer.stop();
  for (const { gateway, network } of nodes) {
    await gateway.stop();
    await network.stop();
  }
  await client.end();
  await model.stop();
  await server.stop();
  await rm(home, { recursive: true, force: true });
}
