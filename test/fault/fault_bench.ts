/** A gateway that is killed again and again, the model behind it, and rounds of load over it. */

import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Gateway, startGateway } from '../support/gateway';
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
  /** Messages that were acknowledged. */
  acks: number;
  violations: Violation[];
}

/** Hinders the gateway while the crowd is at work; resolves with the number of kills, and the gateway up again. */
export type Hindrance = (gateway: Gateway) => Promise<number>;

export interface FaultBench {
  readonly gateway: Gateway;
  /** Load, hindrance, rest, check. `startEnv`: the gateway is started anew with these settings first. */
  round(name: string, hinder: Hindrance, startEnv?: Record<string, string>): Promise<RoundResult>;
  stop(): Promise<void>;
}

/** How long everything may take to come to rest after the last restart. */
const REST_LIMIT_MS = 30_000;
/** For processes that are being killed to be gone. */
const LEFTOVER_LIMIT_MS = 1_000;

/** `root`: of a build. `environment`: more settings of the gateway. */
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
      return playRound({ gateway, model, random, name }, hinder);
    },
    async stop() {
      await gateway.stop();
      await model.stop();
    },
  };
}

interface RoundParts {
  gateway: Gateway;
  model: ScriptedModel;
  random: Random;
  name: string;
}

async function playRound({ gateway, model, random, name }: RoundParts, hinder: Hindrance): Promise<RoundResult> {
  const marker = `4${random.between(100_000, 999_999)}.${random.between(100_000, 999_999)}`;
  const crowd = startCrowd(gateway.url, { name, marker, random });
  model.problems.length = 0;
  try {
    const kills = await hinder(gateway);
    const unfinished = await crowd.comeToRest(REST_LIMIT_MS);
    const { records } = crowd;
    const sessionIds = new Set(records.flatMap(record => record.sent.flatMap(sent => sent.ack?.sessionId ?? [])));
    const sessions = await readSessions(gateway.dataDir, sessionIds);
    const counter = await readFile(join(gateway.workspace, COUNTER_FILE), 'utf8').catch(() => '');
    const counted = counter.split('\n').filter(line => line.startsWith(`${name}-`));
    const leftovers = await leftoversOf(marker);
    const violations = check({ records, sessions, counted, modelProblems: [...model.problems], leftovers, unfinished });
    const acks = records.flatMap(record => record.sent).filter(sent => sent.ack).length;
    return { kills, runs: sessions.reduce((sum, session) => sum + session.runs.length, 0), acks, violations };
  } finally {
    crowd.close();
  }
}

async function leftoversOf(marker: string): Promise<string[]> {
  const deadline = performance.now() + LEFTOVER_LIMIT_MS;
  for (;;) {
    const found = await findProcesses(marker);
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(50);
  }
}

/**
 * A port below those that the system gives to outgoing connections: a client that knocks while the gateway is down could be given the very
 * port it knocks at, connect to itself, and so keep the gateway from coming back.
 */
async function freePort(): Promise<number> {
  for (;;) {
    // Not from the seed: two benches at once must not meet.
    const port = randomInt(15_000, 30_000);
    const isFree = await new Promise<boolean>(resolve => {
      const probe = createServer().once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
