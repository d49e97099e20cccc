/** Pages of lists. */

export interface PageRequest {
  /** The most records of a page. */
  limit: number;
  /** The `nextCursor` of the page before. Opaque. A cursor that this list did not give out rejects with `invalid_request`, param `/cursor`. */
  cursor?: string;
  /** The most bytes of a page, measured as JSON. A first record above the limit comes alone. The store reads little more than the limit. */
  maxBytes?: number;
}

export interface Page<T> {
  data: T[];
  /** Absent on the last page. */
  nextCursor?: string;
}
