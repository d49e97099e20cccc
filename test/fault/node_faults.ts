/** What happens to gateways of a cluster: kills, stops past the lease, networks that break, and ends of their Postgres. Each ends with a cluster that is well again. */
import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '../../src/service/run/node_lease';
import type { NetworkState } from '../support/delay_proxy';
import type { PostgresServer, ServerEnd } from '../support/postgres_server';
import type { FaultNode, NodesHindrance } from './nodes_bench';
import type { Random } from './random';

export const NODE_FAULTS = ['kill', 'stop', 'cut', 'silence', 'two_kills', 'server_fast', 'server_immediate', 'server_kill'] as const;
export type NodeFault = (typeof NODE_FAULTS)[number];

/** Time after which a balancer has seen that a gateway does not answer. */
const HEALTH_CHECK_MS = 1_000;

/** Returns a hindrance that begins while the crowd works. */
export function nodeFault(fault: NodeFault, random: Random): NodesHindrance {
  return async ({ nodes, balancer, server }) => {
    await delay(random.between(10, 900));
    const node = random.pick(nodes);
    switch (fault) {
      case 'kill':
        return kill(node, random);
      case 'two_kills': {
        const other = random.pick(nodes.filter(({ port }) => port !== node.port));
        const kills = await Promise.all([kill(node, random), delay(random.between(0, 500)).then(() => kill(other, random))]);
        return kills.length;
      }
      case 'stop':
        process.kill(node.gateway.pid, 'SIGSTOP');
        await delay(HEALTH_CHECK_MS);
        balancer.removeMember(node.port);
        await delay(LEASE_MS + random.between(0, 6_000));
        process.kill(node.gateway.pid, 'SIGCONT');
        balancer.addMember(node.port);
        return 1;
      case 'cut':
        return breakNetwork(node, 'cut', random);
      case 'silence':
        return breakNetwork(node, 'silent', random);
      case 'server_fast':
        return endServer(server, 'fast', random);
      case 'server_immediate':
        return endServer(server, 'immediate', random);
      case 'server_kill':
        return endServer(server, 'kill', random);
    }
  };
}

async function kill({ gateway }: FaultNode, random: Random): Promise<number> {
  await gateway.kill();
  await delay(random.between(0, 1_500));
  await gateway.restart();
  return 1;
}

/** In one of four rounds for longer than a lease. */
async function breakNetwork({ network }: FaultNode, state: NetworkState, random: Random): Promise<number> {
  await network.setState(state);
  await delay(random.chance(0.25) ? LEASE_MS + random.between(0, 6_000) : random.between(200, 6_000));
  await network.setState('open');
  return 1;
}

/** Ends the server, in one of three rounds twice: the second time while the gateways connect again. */
async function endServer(server: PostgresServer, mode: ServerEnd, random: Random): Promise<number> {
  const ends = random.chance(0.33) ? 2 : 1;
  for (let i = 0; i < ends; i += 1) {
    await delay(i * random.between(0, 300));
    await server.kill(mode);
    await delay(random.between(0, 1_500));
    await server.restart();
  }
  return ends;
}
