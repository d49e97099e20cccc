import type { PatchStrategy } from '../../../port/patch_engine';
import type { Transformation } from '../locate/transformations';
import type { Location } from '../location';

const EXPLANATIONS: Readonly<Partial<Record<PatchStrategy, string>>> = {
  whitespace_normalized: 'white space or line breaks differ',
  indent_flexible: 'it begins or ends within a line of the file, and indentation differs',
  escape_normalized: 'it was escaped differently',
  trimmed_boundary: 'it has line breaks at its edges that the file does not have',
  unicode_normalized: 'quotes, dashes or other typographic characters differ',
  block_anchor: 'some lines between its first and its last line differ',
  context_aware: 'some of its lines differ',
};
const SHOWN_CHARACTERS = 400;

/** Explains for levels 3 to 9 how old_string differed, and shows what the file has there. */
export function describeDifferences(location: Location, transformation?: Transformation): string[] {
  const explanation = EXPLANATIONS[location.strategy];
  if (explanation === undefined) return [];
  const text = location.file.source.slice(location.start, location.end);
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  const how = transformation ? `${explanation} (${transformation.name})` : explanation;
  return [`old_string was not found as given: ${how}. The file has:\n${shown}`];
}
