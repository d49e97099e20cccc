export interface FilePlace {
  file: string;
  /** Counts from 1. */
  line?: number | undefined;
  /** JSON pointer; empty: the whole file. */
  field: string;
  /** A clause without a full stop. */
  reason: string;
}

/**
 * The mistakes in a file of the operator. The message has one line `file:line:field: reason.` for each mistake; `file`, `line`, `field` and `reason`
 * belong to the first.
 */
export class FileValidationError extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly field: string;
  readonly reason: string;
  /** All mistakes, in the order of their lines. */
  readonly problems: readonly FilePlace[];

  constructor(first: FilePlace, options?: ErrorOptions & { others?: readonly FilePlace[] }) {
    const { others = [], ...rest } = options ?? {};
    const problems = [first, ...others].map(place => ({ ...place, field: place.field || '/' }));
    super(problems.map(place => `${describePlace(place)}.`).join('\n'), rest);
    this.name = new.target.name;
    this.file = first.file;
    this.line = first.line;
    this.field = first.field || '/';
    this.reason = first.reason;
    this.problems = problems;
  }
}

/** Format: `file:line:field: reason` */
export const describePlace = ({ file, line, field, reason }: FilePlace): string =>
  `${[file, ...(line === undefined ? [] : [line]), field].join(':')}: ${reason}`;

/** Returns the places in the order of their lines. */
export const byLine = (places: readonly FilePlace[]): FilePlace[] => places.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
