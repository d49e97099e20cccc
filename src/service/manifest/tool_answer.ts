/** Reads what the process of a tool writes to stdout: progress, the answer, and other output. */
import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { isDeeperThan } from '../../utils/json_depth';

/** Fields that a tool adds are ignored. */
export const ToolAnswer = Type.Object({
  id: Type.Optional(Type.String()),
  status: Type.Union([Type.Literal('success'), Type.Literal('error')]),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  base64: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type ToolAnswer = Static<typeof ToolAnswer>;

export type OutputLine =
  | { kind: 'ready' }
  | { kind: 'progress'; id: string | undefined; text: string }
  | { kind: 'answer'; id: string | undefined; answer: ToolAnswer }
  /** JSON with the id of a call that is no answer; `problem` says why. */
  | { kind: 'invalid'; id: string | undefined; problem: string }
  | { kind: 'other' };

const MAX_DEPTH = 64;
const checker = TypeCompiler.Compile(ToolAnswer);

/** Tells what a line of stdout is. A line that is no JSON object is other output. */
export function readOutputLine(line: string): OutputLine {
  const value = toObject(line);
  if (!value) return { kind: 'other' };
  const id = typeof value['id'] === 'string' ? value['id'] : undefined;
  if (value['ready'] === true && id === undefined) return { kind: 'ready' };
  if (typeof value['progress'] === 'string' && !('status' in value)) return { kind: 'progress', id, text: value['progress'] };
  if (checker.Check(value)) return { kind: 'answer', id, answer: value };
  if (id === undefined && !('status' in value)) return { kind: 'other' };
  const field = checker.Errors(value).First()?.path.slice(1) || 'status';
  return { kind: 'invalid', id, problem: `the field ${field} of its answer is missing or not valid` };
}

function toObject(line: string): Record<string, unknown> | undefined {
  if (!/^\s*\{/.test(line) || isDeeperThan(line, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
