import type { LineTable } from './line_table';

/** A marker for omitted lines: dots alone, or a comment of prose that begins or ends with dots. */
const BARE_MARKER = /^[[(<{]?(?:\.{3,}|…)[\])>}]?$/;
const COMMENT_MARKER = /^(?:\/\/+|\/\*+|#+|<!--|--|;+|%+|\*|\{\/\*|"""|')((?:\.{3}|…).*|.*(?:\.{3}|…))$/u;
const CLOSER = /(?:\*\/\}?|-->|""")$/;
const PROSE = /^[\p{L}\p{N}\s.,…'()-]*$/u;
/** A segment needs this many folded characters to identify a place. */
const MIN_ANCHOR = 12;
const MAX_MARKER = 80;

/** Alignment of a quotation with omitted lines. */
export interface ElidedAlignment {
  /** File line of each line of old, or -1 for a marker. */
  targets: Int32Array;
  /** Lines of old whose segment stands in several places; the nearest one was taken. */
  ambiguous: ReadonlySet<number>;
}

/** Returns the lines of old that are markers for omitted lines. A line that the file contains is not a marker. */
export function findMarkers(old: LineTable, file: LineTable): number[] {
  const markers: number[] = [];
  for (let i = 0; i < old.count; i++) if (old.length(i) <= MAX_MARKER && isMarker(old.text(i))) markers.push(i);
  if (markers.length === 0) return markers;
  const present = new Set(file.hashes);
  return markers.filter(i => !present.has(old.hashes[i]!));
}

/** `text` is a folded line, without white space. */
function isMarker(text: string): boolean {
  if (BARE_MARKER.test(text)) return true;
  const inner = COMMENT_MARKER.exec(text.replace(CLOSER, ''))?.[1];
  return inner !== undefined && PROSE.test(inner);
}

/**
 * Aligns the segments between the markers with the file, in order. At least one segment must be unique in the file; the others
 * take the nearest place. Returns undefined when the file lacks a segment. Linear in the file.
 */
export function alignElided(old: LineTable, file: LineTable, markers: readonly number[]): ElidedAlignment | undefined {
  const segments = toSegments(old, markers).map(segment => ({ ...segment, places: findPlaces(old, file, segment) }));
  const anchor = segments.findIndex(segment => segment.places.length === 1 && segment.size >= MIN_ANCHOR);
  if (anchor < 0) return undefined;
  const alignment: ElidedAlignment & { ambiguous: Set<number> } = { targets: new Int32Array(old.count).fill(-1), ambiguous: new Set() };
  const assign = (segment: Segment, place: number): void => {
    for (let i = segment.from; i < segment.to; i++) alignment.targets[i] = place + i - segment.from;
  };
  assign(segments[anchor]!, segments[anchor]!.places[0]!);
  for (const direction of [-1, 1]) {
    let edge = segments[anchor]!;
    for (let k = anchor + direction; segments[k]; k += direction) {
      const segment = segments[k]!;
      const isFree = (place: number): boolean =>
        direction > 0 ? place > alignment.targets[edge.to - 1]! : place + segment.to - segment.from <= alignment.targets[edge.from]!;
      const free = segment.places.filter(isFree);
      const place = direction > 0 ? free[0] : free.at(-1);
      if (place === undefined) return undefined;
      assign(segment, place);
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
  /** Number of folded characters. */
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

/** Returns the file lines where all lines of the segment follow each other, white space aside. */
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
