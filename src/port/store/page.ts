/** Pages of lists. */

export interface PageRequest {
  /** Records that the page has at most. */
  limit: number;
  /** The `nextCursor` of the page before. Opaque: one that this list did not give out rejects with `invalid_request`, param `/cursor`. */
  cursor?: string;
  /** Bytes of the page at most, measured as JSON. A first record that is larger comes alone. The store reads little more than that. */
  maxBytes?: number;
}

export interface Page<T> {
  data: T[];
  /** Absent on the last page. */
  nextCursor?: string;
}
