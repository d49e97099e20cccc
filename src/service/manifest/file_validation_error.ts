export interface FilePlace {
  file: string;
  /** Counts from 1. */
  line?: number | undefined;
  /** JSON pointer; empty: the whole file. */
  field: string;
  /** A clause without a full stop. */
  reason: string;
}

/** A mistake in a file of the operator; the message reads `file:line:field: reason.` */
export class FileValidationError extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly field: string;
  readonly reason: string;

  constructor({ file, line, field, reason }: FilePlace, options?: ErrorOptions) {
    super(`${[file, ...(line === undefined ? [] : [line]), field || '/'].join(':')}: ${reason}.`, options);
    this.name = new.target.name;
    this.file = file;
    this.line = line;
    this.field = field || '/';
    this.reason = reason;
  }
}
