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
function placeOf(script: EditScript, line: number, oldCount: number): number {
  const partners = script.linePartners;
  if (partners[line]! >= 0) return partners[line]!;
  let [before, after] = [line - 1, line + 1];
  while (before >= 0 && partners[before]! < 0) before--;
  while (after < partners.length && partners[after]! < 0) after++;
  const first = before < 0 ? -1 : partners[before]!;
  const last = after < partners.length ? partners[after]! : oldCount;
  return last - first === after - before ? first + line - before : -1;
}
