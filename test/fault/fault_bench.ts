/** Runs rounds of load on a gateway that is killed again and again, with a scripted model. */

import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSqliteStore } from '../../src/adapter/sqlite/sqlite_store';
import type { Store } from '../../src/port/store/store';
import { type Gateway, startGateway } from '../support/gateway';
import { STORE_PARTS } from '../support/store_parts';
import { check } from './checker';
import type { Violation } from './client_record';
import { startCrowd } from './crowd';
import { COUNTER_FILE, NOTES_FILE } from './plans';
import { findProcesses } from './processes';
import type { Random } from './random';
import { type ScriptedModel, startScriptedModel } from './scripted_model';
import { readSessions } from './store_facts';

export interface RoundResult {
  kills: number;
  runs: number;
  /** Number of acknowledged messages. */
  acks: number;
  violations: Violation[];
}

/** Kills the gateway while the crowd works. Resolves with the number of kills when the gateway runs again. */
export type Hindrance = (gateway: Gateway) => Promise<number>;

export interface FaultBench {
  readonly gateway: Gateway;
  /** Runs one round: load, kills, wait for the end of all work, check. `startEnv`: restarts the gateway with these settings first. */
  round(name: string, hinder: Hindrance, startEnv?: Record<string, string>): Promise<RoundResult>;
  stop(): Promise<void>;
}

/** Limit of the wait for the end of all work after the last restart. */
const REST_LIMIT_MS = 30_000;
/** Limit of the wait for killed processes to exit. */
const LEFTOVER_LIMIT_MS = 1_000;

/** Starts the bench. `root` is the directory of a build, `environment` holds more settings of the gateway. */
export async function startFaultBench(random: Random, root?: string, environment: Record<string, string> = {}): Promise<FaultBench> {
  const model = await startScriptedModel();
  const env = { PORT: String(await freePort()), OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'none', ...environment };
  const files = { [NOTES_FILE]: 'Nothing to note.\n' };
  const gateway = await startGateway({ env, files, ...(root !== undefined && { root }) }).catch(async thrown => {
    await model.stop();
    throw thrown;
  });
  return {
    gateway,
    async round(name, hinder, startEnv) {
      if (startEnv) await gateway.restart(startEnv);
      const site: RoundSite = {
        url: gateway.url,
        workspace: gateway.workspace,
        // Opened only while reading, so that the gateway itself recovers the file when it starts.
        openStore: () => openSqliteStore({ parts: STORE_PARTS, path: join(gateway.dataDir, 'neta.db') }),
        model,
        random,
        restLimitMs: REST_LIMIT_MS,
        leftoverLimitMs: LEFTOVER_LIMIT_MS,
      };
      return playRound(site, name, () => hinder(gateway));
    },
    async stop() {
      await gateway.stop();
      await model.stop();
    },
  };
}

/** Where a round is played: one gateway, or several behind a balancer. */
export interface RoundSite {
  url: string;
  /** The workspace of all gateways. */
  workspace: string;
  /** Opens the store of the gateways for the checks. */
  openStore(): Promise<Store>;
  model: ScriptedModel;
  random: Random;
  /** Limit of the wait for the end of all work after the last hindrance. */
  restLimitMs: number;
  /** Limit of the wait for processes of tools to exit. */
  leftoverLimitMs: number;
}

/** Starts a crowd, hinders the gateways, waits for the end of all work, and checks. `hinder` resolves with the number of kills and other faults. */
export async function playRound(site: RoundSite, name: string, hinder: () => Promise<number>): Promise<RoundResult> {
  const { url, workspace, model, random } = site;
  const marker = `4${random.between(100_000, 999_999)}.${random.between(100_000, 999_999)}`;
  const crowd = startCrowd(url, { name, marker, random });
  model.problems.length = 0;
  try {
    const kills = await hinder();
    const unfinished = await crowd.comeToRest(site.restLimitMs);
    const { records } = crowd;
    const sessionIds = new Set(records.flatMap(record => record.sent.flatMap(sent => sent.ack?.sessionId ?? [])));
    const sessions = await readSessions(site.openStore, sessionIds);
    const counter = await readFile(join(workspace, COUNTER_FILE), 'utf8').catch(() => '');
    const counted = counter.split('\n').filter(line => line.startsWith(`${name}-`));
    const leftovers = await leftoversOf(marker, site.leftoverLimitMs);
    const violations = check({ records, sessions, counted, modelProblems: [...model.problems], leftovers, unfinished });
    const acks = records.flatMap(record => record.sent).filter(sent => sent.ack).length;
    return { kills, runs: sessions.reduce((sum, session) => sum + session.runs.length, 0), acks, violations };
  } finally {
    crowd.close();
  }
}

async function leftoversOf(marker: string, limitMs: number): Promise<string[]> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await findProcesses(marker);
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(50);
  }
}

/**
 * Picks a port below the range of outgoing connections. Within that range, a client that connects while the gateway is down could get the
 * same port, connect to itself, and so keep the gateway from binding it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    // Not from the seed, because two benches at once must use different ports.
    const port = randomInt(15_000, 30_000);
    const isFree = await new Promise<boolean>(resolve => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
