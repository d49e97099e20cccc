import type { EditScript } from '../align/edit_script';
import type { LocatedEdit } from '../located_edit';
import { spacingBefore } from '../tokens';
import { trailingBlanks } from './spacing';

/**
 * Returns the trailing blanks and line end to write for the line that ends before token `j` of new. They come from the file
 * line that this line keeps, modifies or replaces. Undefined when there is none, or when new changes the trailing blanks.
 */
export function fileLineEnd({ location, next, script }: LocatedEdit, j: number): string | undefined {
  const line = next.tokens[j - 1]?.line;
  if (line === undefined || next.lines[line]!.last !== j - 1) return undefined;
  const partner = placeOf(script, line, location.old.lines.length);
  const range = location.old.lines[partner];
  const target = range ? location.oldToFile[range.last]! : -1;
  if (!range || target < 0 || trailingBlanks(spacingBefore(location.old, range.last + 1)) !== trailingBlanks(spacingBefore(next, j)))
    return undefined;
  const spacing = spacingBefore(location.file, target + 1);
  return spacing.includes('\n') ? spacing.slice(0, spacing.indexOf('\n') + 1) : undefined;
}

/** Returns the line of old that a line of new keeps, modifies or, in a block of equal length, replaces; else -1. */
export function placeOf(script: EditScript, line: number, oldCount: number): number {
  const partner = script.linePartners[line]!;
  if (partner >= 0) return partner;
  const { next, old } = changedBlock(script, line, oldCount);
  return old.to - old.from === next.to - next.from ? old.from + line - next.from : -1;
}

/** Lines [from, to). */
interface LineRange {
  from: number;
  to: number;
}

/** Returns the run of added lines around an added line of new, and the lines of old that the run replaces. */
export function changedBlock({ linePartners }: EditScript, line: number, oldCount: number): { next: LineRange; old: LineRange } {
  let [from, to] = [line, line + 1];
  while (from > 0 && linePartners[from - 1]! < 0) from--;
  while (to < linePartners.length && linePartners[to]! < 0) to++;
  const old = { from: from > 0 ? linePartners[from - 1]! + 1 : 0, to: linePartners[to] ?? oldCount };
  return { next: { from, to }, old };
}
