/** Counters of rate limits: points within a window of time. Times are milliseconds since 1970. */

export interface PointRequest {
  /** Names the counter. */
  id: string;
  /** Points to take; fewer are taken when fewer are left. */
  wanted: number;
  /** Most points of one window. */
  limit: number;
  /** Milliseconds from the first point of a window to its end. */
  windowMs: number;
  now: number;
}

export interface TakenPoints {
  taken: number;
  /** Points that the window has counted so far, the points of this request included. */
  points: number;
  /** End of the window. */
  expiresAt: number;
}

/** All tenants: the id of a counter says for whom it counts. */
export interface RateCounterWriter {
  /** Takes points of the present window, or of a new one when it has ended. Requests of one counter wait for each other until their commit. */
  take(request: PointRequest): Promise<TakenPoints>;
  /** Gives points back to the window that ends at `expiresAt`; does nothing when another window has begun. */
  giveBack(id: string, points: number, expiresAt: number): Promise<void>;
}
