/** Reads out of the message list what the person wants and what was done about it so far. */
import type { ChatMessage, WireToolCall } from '../../port/llm';
import { isUnderstood, parseRequest } from './demo_parse';
import { asAnswer } from './demo_results';
import { DEMO_TEXTS } from './demo_texts';
import { matchChoice, parseReplacement } from './demo_words';

export interface DoneCall {
  name: string;
  args: Record<string, unknown>;
  result: string;
}

interface DemoTask {
  /** The message that started the task; '' when there is none. */
  request: string;
  /** Calls made for it, in order; questions that were handed over as text have the next message as their answer. */
  done: DoneCall[];
  /** The file that earlier tasks spoke of last. */
  earlierFile?: string;
  /** The loop asks for a last answer: no tool may be called any more. */
  isLastAnswer: boolean;
}

interface Turn {
  text: string;
  done: DoneCall[];
  /** The last text of the assistant. */
  reply: string;
}

interface OpenQuestion {
  question: string;
  choices: string[];
  /** Its place in the turn's calls; absent when the history has only texts. */
  call?: DoneCall;
}

/** `hasTools`: whether the request offers tools. Without, a user message right after a tool result is the loop's note, not a person. */
export function readTask(messages: readonly ChatMessage[], hasTools: boolean): DemoTask {
  const turns = readTurns(messages, hasTools);
  let first = turns.length - 1;
  while (first > 0 && answersQuestion(turns[first - 1], turns[first])) first--;
  const taken = turns.slice(Math.max(first, 0));
  const earlierFile = lastFile(turns.slice(0, Math.max(first, 0)));
  return {
    request: taken[0]?.text ?? '',
    done: taken.flatMap((turn, i) => withAnswer(turn, taken[i + 1]?.text)),
    isLastAnswer: isNote(messages, messages.length - 1, hasTools),
    ...(earlierFile && { earlierFile }),
  };
}

/** What the loop says itself comes right after tool results, and only where no tools are offered. */
const isNote = (messages: readonly ChatMessage[], i: number, hasTools: boolean): boolean =>
  !hasTools && messages[i]?.role === 'user' && messages[i - 1]?.role === 'tool';

function lastFile(turns: readonly Turn[]): string | undefined {
  const call = turns.flatMap(turn => turn.done).findLast(({ name }) => name === 'read_file' || name === 'write_file' || name === 'patch');
  return typeof call?.args['path'] === 'string' ? call.args['path'] : undefined;
}

function readTurns(messages: readonly ChatMessage[], hasTools: boolean): Turn[] {
  const results = new Map<string, string>();
  for (const message of messages) if (message.role === 'tool') results.set(message.tool_call_id, message.content);
  const turns: Turn[] = [];
  messages.forEach((message, i) => {
    if (message.role === 'user' && !isNote(messages, i, hasTools)) turns.push({ text: message.content, done: [], reply: '' });
    const turn = turns.at(-1);
    if (message.role !== 'assistant' || !turn) return;
    for (const call of message.tool_calls ?? []) {
      const result = results.get(call.id);
      if (result !== undefined) turn.done.push({ name: call.function.name, args: argumentsOf(call), result });
    }
    if (message.content) turn.reply = message.content;
  });
  return turns;
}

function argumentsOf(call: WireToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(call.function.arguments || '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The question that the turn ended with, if it did. */
function openQuestion(turn: Turn): OpenQuestion | undefined {
  const call = turn.done.findLast(({ name }) => name === 'clarify');
  const asked = typeof call?.args['question'] === 'string' ? call.args['question'] : undefined;
  if (call && asked && turn.reply.includes(asked)) return { question: asked, choices: stringsOf(call.args['choices']), call };
  if (call) return undefined;
  const [question = '', ...lines] = turn.reply.split('\n');
  if (!isOwnQuestion(question)) return undefined;
  const choices = lines.flatMap(line => /^\s*\d[.)、]\s+(?<choice>.+)$/u.exec(line)?.groups?.['choice'] ?? []);
  return { question, choices };
}

const stringsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter(item => typeof item === 'string') : []);

function isOwnQuestion(text: string): boolean {
  return Object.values(DEMO_TEXTS).some(texts => texts.questionOpenings.some(opening => opening !== '' && text.startsWith(opening)));
}

function answersQuestion(before: Turn | undefined, turn: Turn | undefined): boolean {
  const open = before && openQuestion(before);
  if (!open || !turn) return false;
  if (matchChoice(turn.text, open.choices) !== undefined) return true;
  const intents = parseRequest(turn.text);
  const isNewRequest = isUnderstood(intents) && intents.some(({ kind }) => kind !== 'hello' && kind !== 'thanks');
  if (!isNewRequest) return true;
  const [only] = intents;
  return intents.length === 1 && only?.kind === 'change' && !only.path && parseReplacement(turn.text) !== undefined;
}

function withAnswer(turn: Turn, next: string | undefined): DoneCall[] {
  const open = next === undefined ? undefined : openQuestion(turn);
  if (!open || next === undefined) return turn.done;
  const answered: DoneCall = { name: 'clarify', args: { question: open.question }, result: asAnswer(next) };
  return open.call ? turn.done.map(call => (call === open.call ? answered : call)) : [...turn.done, answered];
}
