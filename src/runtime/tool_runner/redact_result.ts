/** Removes the secrets of the gateway from what a tool returns and prints. */
import type { Redactor } from '../../port/redactor';
import type { ToolResult } from '../../tools/common';

/** The deepest level that is searched for secrets. A value below this level is removed as a whole, because it was not searched. */
const MAX_DEPTH = 64;

/** Returns the same object when it holds no secret. */
export function redactResult(result: ToolResult, { redact }: Pick<Redactor, 'redact'>): ToolResult {
  // Leave bytes as they are: a secret in them is no readable text, and a change would corrupt the data.
  const isSame = Object.entries(result).every(
    ([name, item]) => name === 'base64' || name === 'images' || (redact(name) === name && isClean(item, redact, 1)),
  );
  if (isSame) return result;
  const { base64, images, ...texts } = result;
  const clean = redactValue(texts, redact, 0) as ToolResult;
  return { ...clean, ...(base64 !== undefined && { base64 }), ...(images && { images }) };
}

/** Only searches and builds nothing, because hardly any result holds a secret. */
function isClean(value: unknown, redact: (text: string) => string, depth: number): boolean {
  if (typeof value === 'string') return redact(value) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every(item => isClean(item, redact, depth + 1));
  return Object.entries(value).every(([name, item]) => redact(name) === name && isClean(item, redact, depth + 1));
}

function redactValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[redacted]';
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redactValue(item, redact, depth + 1)]));
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
