import type { LineTable } from './line_table';

/** A line that stands for lines left out: dots alone, or a comment that begins or ends with dots and is prose otherwise. */
const BARE_MARKER = /^[[(<{]?(?:\.{3,}|…)[\])>}]?$/;
const COMMENT_MARKER = /^(?:\/\/+|\/\*+|#+|<!--|--|;+|%+|\*|\{\/\*|"""|')((?:\.{3}|…).*|.*(?:\.{3}|…))$/u;
const CLOSER = /(?:\*\/\}?|-->|""")$/;
const PROSE = /^[\p{L}\p{N}\s.,…'()-]*$/u;
/** A segment must have this many folded characters to tell a place by itself. */
const SHORTEST_ANCHOR = 12;
const LONGEST_MARKER = 80;

/** The places of the segments around the left-out middles. */
export interface ElidedAlignment {
  /** The file line of every line of old, or -1 for a marker. */
  targets: Int32Array;
  /** Lines of old whose segment stands in several places, of which the nearest was taken. */
  ambiguous: ReadonlySet<number>;
}

/** Lines of old that say "here something is left out" and that the file does not have itself. */
export function findMarkers(old: LineTable, file: LineTable): number[] {
  const markers: number[] = [];
  for (let i = 0; i < old.count; i++) if (old.length(i) <= LONGEST_MARKER && isMarker(old.text(i))) markers.push(i);
  if (markers.length === 0) return markers;
  const present = new Set(file.hashes);
  return markers.filter(i => !present.has(old.hashes[i]!));
}

/** `text` is a folded line: without white space. */
function isMarker(text: string): boolean {
  if (BARE_MARKER.test(text)) return true;
  const inner = COMMENT_MARKER.exec(text.replace(CLOSER, ''))?.[1];
  return inner !== undefined && PROSE.test(inner);
}

/**
 * Lays the segments between the markers over the file, in order. One of them at least stands in the file once; the
 * others take the place nearest to it. Undefined when a segment is not in the file as quoted. Linear in the file.
 */
export function alignElided(old: LineTable, file: LineTable, markers: readonly number[]): ElidedAlignment | undefined {
  const segments = toSegments(old, markers).map(segment => ({ ...segment, places: findPlaces(old, file, segment) }));
  const anchor = segments.findIndex(segment => segment.places.length === 1 && segment.size >= SHORTEST_ANCHOR);
  if (anchor < 0) return undefined;
  const alignment: ElidedAlignment & { ambiguous: Set<number> } = { targets: new Int32Array(old.count).fill(-1), ambiguous: new Set() };
  const lay = (segment: Segment, place: number): void => {
    for (let i = segment.from; i < segment.to; i++) alignment.targets[i] = place + i - segment.from;
  };
  lay(segments[anchor]!, segments[anchor]!.places[0]!);
  for (const direction of [-1, 1]) {
    let edge = segments[anchor]!;
    for (let k = anchor + direction; segments[k]; k += direction) {
      const segment = segments[k]!;
      const isFree = (place: number): boolean =>
        direction > 0 ? place > alignment.targets[edge.to - 1]! : place + segment.to - segment.from <= alignment.targets[edge.from]!;
      const free = segment.places.filter(isFree);
      const place = direction > 0 ? free[0] : free.at(-1);
      if (place === undefined) return undefined;
      lay(segment, place);
      if (free.length > 1) for (let i = segment.from; i < segment.to; i++) alignment.ambiguous.add(i);
      edge = segment;
    }
  }
  return alignment;
}

/** Lines [from, to) of old. */
interface Segment {
  from: number;
  to: number;
  /** Folded characters. */
  size: number;
}

function toSegments(old: LineTable, markers: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const to of [...markers, old.count]) {
    let size = 0;
    for (let i = from; i < to; i++) size += old.length(i);
    if (to > from) segments.push({ from, to, size });
    from = to + 1;
  }
  return segments;
}

/** File lines at which all lines of the segment follow each other, white space aside. */
function findPlaces(old: LineTable, file: LineTable, { from, to }: Segment): number[] {
  const places: number[] = [];
  const wanted = old.hashes[from]!;
  for (let k = 0; k + to - from <= file.count; k++) {
    if (file.hashes[k] !== wanted) continue;
    let i = 0;
    while (from + i < to && old.hashes[from + i] === file.hashes[k + i] && old.text(from + i) === file.text(k + i)) i++;
    if (from + i === to) places.push(k);
  }
  return places;
}
