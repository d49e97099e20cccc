/**
 * Plans the answers of the scripted model. A message is `task <uid> <kind> <marker>`; its calls append `<uid>.<n>` to counter.txt, each once.
 * An answer depends only on the messages, so that a recovered run continues its plan.
 */
import type { ChatMessage, WireToolCall } from '../../src/port/llm';

export const COUNTER_FILE = 'counter.txt';
/** A file in the workspace that plans read. */
export const NOTES_FILE = 'notes.txt';

export const TASK_KINDS = ['counter', 'reading', 'asking', 'story', 'mixed'] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

export interface PlannedAnswer {
  text: string;
  calls: WireToolCall[];
}

interface Step {
  text: string;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

/** `marker` is an unusual number of seconds, by which processes that were left behind are found. */
export const taskText = (uid: string, kind: TaskKind, marker: string): string => `task ${uid} ${kind} ${marker}`;

/** Returns the answer to a request with these messages. */
export function planAnswer(messages: readonly ChatMessage[]): PlannedAnswer {
  const last = messages.findLast(message => message.role === 'user')?.content ?? '';
  const taskIndex = messages.findLastIndex(message => message.role === 'user' && message.content.startsWith('task '));
  const turn = messages.slice(taskIndex + 1).filter(message => message.role === 'assistant');
  const isOver = turn.some(message => !message.tool_calls?.length);
  if (taskIndex < 0 || isOver || last.startsWith('probe ')) return { text: `Noted: ${last}`, calls: [] };
  const [, uid = '', kind = '', marker = ''] = (messages[taskIndex]?.content ?? '').split(' ');
  const step = stepsOf(uid, kind as TaskKind, marker)[turn.length];
  if (!step) return { text: storyOf(uid), calls: [] };
  const calls = step.calls.map(
    (call, i): WireToolCall => ({
      id: `call_${uid}_${turn.length}_${i}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    }),
  );
  return { text: step.text, calls };
}

function stepsOf(uid: string, kind: TaskKind, marker: string): Step[] {
  const read = { name: 'read_file', arguments: { path: NOTES_FILE } };
  const list = { name: 'list_dir', arguments: { path: '.' } };
  const todo = { name: 'todo', arguments: { todos: [{ id: 'one', content: `count ${uid}`, status: 'in_progress' }] } };
  const ask = { name: 'clarify', arguments: { question: `Which way, ${uid}?`, choices: ['left', 'right'] } };
  switch (kind) {
    case 'counter':
      return [step('Counting.', count(uid, 1)), step('', count(uid, 2), read, count(uid, 3)), step('Planning.', todo)];
    case 'reading':
      return [step('Looking.', read, list, read), step('', count(uid, 1))];
    case 'asking':
      return [step('I need to ask.', ask), step('', count(uid, 1))];
    case 'mixed':
      return [step('', withSleeper(count(uid, 1), marker), ask, count(uid, 2)), step('More.', read, todo, count(uid, 3, 0.05))];
    case 'story':
      return [];
  }
}

const step = (text: string, ...calls: Step['calls']): Step => ({ text, calls });

function count(uid: string, number: number, seconds = 0) {
  const pause = seconds > 0 ? `sleep ${seconds}; ` : '';
  return { name: 'bash', arguments: { command: `${pause}echo ${uid}.${number} >> ${COUNTER_FILE}; echo counted` } };
}

/** A command that leaves a process behind, outside its process group. */
function withSleeper(call: ReturnType<typeof count>, marker: string) {
  return { ...call, arguments: { command: `(setsid sleep ${marker} &); ${call.arguments.command}` } };
}

const storyOf = (uid: string): string => `Finished ${uid}. ${'Many small words make a long answer that takes its time. '.repeat(5)}`;
