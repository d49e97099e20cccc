/**
 * Reads failpoints from a setting: `point=action` pairs, separated by commas. Actions: `crash` (kill -9 of this process), `crash:N` (the Nth
 * time), `delay:MS`, `block:MS` (holds the event loop), `fail` (the first time), `fail:N` (the first N times).
 * Example: `tool_effect=crash:2,before_ack=delay:200`. `@FILE` names a file with such pairs, which is read at each pass: a test arms a running
 * gateway with it.
 */
import { readFileSync, statSync } from 'node:fs';
import { AppError } from '../../../errors';
import { FAILPOINTS, type Failpoint, type Failpoints } from '../../../port/failpoints';

interface Action {
  kind: 'crash' | 'delay' | 'block' | 'fail';
  /** crash: which pass, from 1; fail: how many passes; delay and block: milliseconds. */
  count: number;
}

/** Throws an error of one sentence when the text is malformed; `reach` throws it for a file. */
export function createFailpoints(text = ''): Failpoints {
  return text.startsWith('@') ? readFromFile(text.slice(1)) : parseFailpoints(text);
}

/** Counts the passes from the last change of the file, which a test replaces as a whole. */
function readFromFile(path: string): Failpoints {
  let writtenAt: number | undefined;
  let failpoints = parseFailpoints('');
  return {
    reach(point) {
      const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (changedAt !== writtenAt) failpoints = parseFailpoints(changedAt === undefined ? '' : readFileSync(path, 'utf8'));
      writtenAt = changedAt;
      return failpoints.reach(point);
    },
  };
}

function parseFailpoints(text: string): Failpoints {
  const actions = new Map<Failpoint, Action>(text.split(',').filter(Boolean).map(parseAction));
  const passes = new Map<Failpoint, number>();
  return {
    reach(point) {
      const action = actions.get(point);
      if (!action) return undefined;
      const count = (passes.get(point) ?? 0) + 1;
      passes.set(point, count);
      return act(action, count);
    },
  };
}

function parseAction(pair: string): [Failpoint, Action] {
  const [, name, kind, count] = /^\s*(\w+)=(crash|delay|block|fail)(?::(\d+))?\s*$/.exec(pair) ?? [];
  const point = FAILPOINTS.find(known => known === name);
  if (!point || !kind)
    throw new Error(`NETA_DEBUG_POINTS: "${pair}" is not point=crash[:n], point=delay:ms, point=block:ms or point=fail[:n].`);
  return [point, { kind: kind as Action['kind'], count: Number(count ?? 1) }];
}

async function act({ kind, count }: Action, pass: number): Promise<void> {
  if (kind === 'delay') return new Promise(resolve => setTimeout(resolve, count));
  if (kind === 'block') return block(count);
  if (kind === 'fail' && pass <= count)
    throw new AppError('store_unavailable', { message: 'A failpoint failed here.', messageZh: '此处的故障点触发了失败。' });
  if (kind === 'fail' || pass < count) return;
  process.kill(process.pid, 'SIGKILL');
  // Never resolves: the signal is asynchronous, and nothing may run after it.
  await new Promise(() => {});
}

function block(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
}
