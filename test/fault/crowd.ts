/** The clients of one round: pages that chat, steer and cancel, and programs that wait and stream. */
import { setTimeout as delay } from 'node:timers/promises';
import { ChatPerson } from './chat_person';
import type { ClientRecord } from './client_record';
import { TASK_KINDS, type TaskKind, taskText } from './plans';
import type { Random } from './random';
import { RestCaller } from './rest_caller';

export interface Crowd {
  readonly records: ClientRecord[];
  /** Waits until every client has its results, then sends one more message to every session. Resolves with the clients that did not finish. */
  comeToRest(limitMs: number): Promise<string[]>;
  close(): void;
}

interface CrowdOptions {
  /** Prefix of every name and text of the round. */
  name: string;
  marker: string;
  random: Random;
}

export function startCrowd(url: string, { name, marker, random }: CrowdOptions): Crowd {
  const people = [1, 2, 3].map(number => new ChatPerson(url, `${name}-page${number}`, random));
  const [worker, asker, changer] = people as [ChatPerson, ChatPerson, ChatPerson];
  const callers = [new RestCaller(url, `${name}-caller`), new RestCaller(url, `${name}-reader`)];
  const [caller, reader] = callers as [RestCaller, RestCaller];
  let taskCount = 0;
  const task = (who: { name: string }, kind: TaskKind) => taskText(`${who.name}-${taskCount++}`, kind, marker);
  const work: [string, Promise<unknown>][] = [
    [worker.name, workOff(worker, [task(worker, 'counter'), task(worker, random.pick(TASK_KINDS))])],
    [asker.name, askAndSteer(asker, task(asker, random.pick(['asking', 'mixed'])), random)],
    [changer.name, changeMind(changer, [task(changer, 'story'), task(changer, 'mixed'), task(changer, 'counter')], random)],
    [caller.name, caller.run(task(caller, random.pick(['counter', 'reading'])))],
    [reader.name, reader.stream(task(reader, 'counter'))],
  ];
  // A client that fails is reported at the end of the round.
  for (const [, done] of work) done.catch(() => {});
  return {
    records: [...people, ...callers].map(({ record }) => record),
    async comeToRest(limitMs) {
      const late = await lateOnes(work, limitMs);
      const probes = people.map((person): [string, Promise<unknown>] => [person.name, probe(person, limitMs)]);
      if (late.length === 0) late.push(...(await lateOnes(probes, limitMs)));
      return late;
    },
    close() {
      for (const client of [...people, ...callers]) client.close();
    },
  };
}

async function workOff(person: ChatPerson, tasks: readonly string[]): Promise<void> {
  for (const text of tasks) await person.say(text);
}

async function askAndSteer(person: ChatPerson, text: string, random: Random): Promise<void> {
  const { runId } = await person.say(text);
  await delay(random.between(0, 200));
  await person.say(`also ${person.name} keyed`, { onBusy: 'steer' });
  await person.steer(runId, `also ${person.name} unkeyed`);
}

/** Cancels the active run, or a queued one. */
async function changeMind(person: ChatPerson, tasks: readonly string[], random: Random): Promise<void> {
  const runIds: string[] = [];
  for (const text of tasks) runIds.push((await person.say(text)).runId);
  await delay(random.between(0, 500));
  await person.cancel(random.pick(runIds));
}

async function probe(person: ChatPerson, limitMs: number): Promise<void> {
  if (!(await person.finished(limitMs))) throw new Error('runs are still under way');
  await person.say(`probe ${person.name}`);
  if (!(await person.finished(limitMs))) throw new Error('the last message was not answered');
}

/** Resolves with the clients whose work failed or took too long, with the reason. */
async function lateOnes(work: readonly [string, Promise<unknown>][], limitMs: number): Promise<string[]> {
  const limit = new AbortController();
  const tooLate = delay(limitMs, 'took too long', { signal: limit.signal }).catch(() => '');
  const outcomes = await Promise.all(
    work.map(async ([name, done]) => {
      const reason = await Promise.race([
        tooLate,
        done.then(
          () => undefined,
          (thrown: Error) => thrown.message,
        ),
      ]);
      return reason === undefined ? [] : [`${name}: ${reason}`];
    }),
  );
  limit.abort();
  return outcomes.flat();
}
