/** Removes the secrets of the gateway from what a tool returns and prints. */
import type { Redactor } from '../../port/redactor';
import type { ToolResult } from '../../tools/common';

/** Deeper values are removed as a whole: nobody can tell what is in them. */
const MAX_DEPTH = 64;

/** Returns the same object when it holds no secret. */
export function redactResult(result: ToolResult, { redact }: Pick<Redactor, 'redact'>): ToolResult {
  // Base64 is left as it is: a secret cannot be seen in it, and a changed one cannot be read.
  const { base64, ...texts } = result;
  const clean = redactValue(texts, redact, 0) as ToolResult;
  if (clean === texts) return result;
  return base64 === undefined ? clean : { ...clean, base64 };
}

function redactValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[redacted]';
  if (Array.isArray(value)) {
    const items = value.map(item => redactValue(item, redact, depth + 1));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([name, item]) => [redact(name), redactValue(item, redact, depth + 1)] as const);
  const isSame = clean.every(([name, item], i) => name === entries[i]?.[0] && item === entries[i]?.[1]);
  return isSame ? value : Object.fromEntries(clean);
}

/** Passes output on piece by piece without secrets. Call `finish` when the tool has ended. */
export function redactOutput(onOutput: (text: string) => void, redactor: Redactor): { onOutput(text: string): void; finish(): void } {
  let pieces: ReturnType<Redactor['openPieces']> | undefined;
  const pass = (text: string) => {
    if (text !== '') onOutput(text);
  };
  return {
    onOutput(text) {
      pieces ??= redactor.openPieces();
      pass(pieces.add(text));
    },
    finish: () => pass(pieces?.finish() ?? ''),
  };
}
