/** From intents to jobs in order, with the plan kept up to date around them. */
import type { TodoItem } from '../../port/run_event';
import type { Desk, Work } from './demo_desk';
import { askJob, changeJob, chooseJob, type Job, listJob, noteJob, readJob, recallJob, rememberJob, runJob, writeJob } from './demo_jobs';
import type { Intent } from './demo_parse';

const MAX_ITEM_LENGTH = 200;

/** Does everything that was asked; what there is to say is in `desk.parts` afterwards. */
export function* doRequest(intents: readonly Intent[], desk: Desk): Work<void> {
  const jobs = toJobs(intents, desk);
  const isPlanAsked = intents.some(({ kind }) => kind === 'plan');
  if (jobs.length === 0) return talk(intents, desk);
  yield* doJobs(jobs, desk, isPlanAsked);
  if (desk.ticked > 0) desk.parts.push(desk.texts.marked(desk.ticked));
  if (isPlanAsked) desk.parts.push(desk.can('todo') ? desk.texts.planDone(jobs.length) : desk.texts.notOffered('todo'));
  for (const intent of intents) if (intent.kind === 'unknown') desk.parts.push(desk.texts.notUnderstood(shorten(intent.text)));
}

function* doJobs(jobs: readonly Job[], desk: Desk, isPlanAsked: boolean): Work<void> {
  const hasPlan = (isPlanAsked || jobs.length > 1) && desk.can('todo');
  const items: TodoItem[] = jobs.map(({ label }, i) => ({ id: String(i + 1), content: shorten(label), status: 'pending' }));
  if (hasPlan) yield { name: 'todo', args: { todos: started(items) }, say: desk.texts.planning(jobs.length), waits: true };
  for (const [i, job] of jobs.entries()) {
    const worked = yield* job.run(desk);
    if (!hasPlan) continue;
    const [item, next] = items.slice(i, i + 2);
    const todos = [...(item ? [{ ...item, status: worked ? 'completed' : 'cancelled' }] : []), ...(next ? started([next]) : [])];
    yield { name: 'todo', args: { todos, merge: true }, waits: false };
  }
}

/** The first of them in progress. */
const started = (items: readonly TodoItem[]): TodoItem[] => items.map((item, i) => (i === 0 ? { ...item, status: 'in_progress' } : item));

function toJobs(intents: readonly Intent[], desk: Desk): Job[] {
  const jobs: Job[] = [];
  let hasFile = false;
  for (const intent of intents) {
    const isOpen = (intent.kind === 'change' || intent.kind === 'read') && !intent.path && !hasFile;
    if (isOpen && !(intent.same && desk.file)) jobs.push(chooseJob(desk, intent.kind));
    jobs.push(...jobsOf(intent, desk));
    hasFile ||= intent.kind === 'change' || intent.kind === 'read' || intent.kind === 'write';
  }
  return jobs;
}

function jobsOf(intent: Intent, desk: Desk): Job[] {
  switch (intent.kind) {
    case 'list':
      return [listJob(desk, intent.path)];
    case 'read':
      return [readJob(desk, intent.path)];
    case 'run':
      return [runJob(desk, intent.command)];
    case 'change':
      return [changeJob(desk, intent)];
    case 'write':
      return [writeJob(desk, intent)];
    case 'ask':
      return [askJob(desk, intent)];
    case 'remember':
      return [rememberJob(desk, intent.fact)];
    case 'recall':
      return [recallJob(desk, intent.query)];
    case 'plan':
      return planJobs(intent, desk);
    case 'hello':
    case 'help':
    case 'thanks':
    case 'unknown':
      return [];
  }
}

/** One job per item of the plan, whatever it takes to do it. */
function planJobs({ goal, items }: Extract<Intent, { kind: 'plan' }>, desk: Desk): Job[] {
  if (items.length === 0) return goal === '' ? [] : desk.texts.steps.generic(shorten(goal)).map(noteJob);
  return items.map(({ content, intents }) => {
    const parts = toJobs(intents, desk);
    return parts.length === 0 ? noteJob(content) : { label: content, run: desk => runAll(parts, desk) };
  });
}

function* runAll(jobs: readonly Job[], desk: Desk): Work<boolean> {
  let worked = true;
  for (const job of jobs) worked = (yield* job.run(desk)) && worked;
  return worked;
}

function talk(intents: readonly Intent[], { parts, texts, request }: Desk): void {
  const kinds = new Set(intents.map(({ kind }) => kind));
  if (kinds.has('help') || kinds.has('plan')) parts.push(texts.help);
  else if (kinds.has('unknown')) parts.push(texts.notUnderstood(shorten(request)));
  else parts.push(kinds.has('thanks') ? texts.thanks : texts.hello);
}

const shorten = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_ITEM_LENGTH ? `${line.slice(0, MAX_ITEM_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
};
