/** Follows what the doors do: the requests that are open, and the events that were sent. */
import type { Clock } from '../../port/clock';
import type { Observer } from '../../port/observer';

/** The parts of an HTTP request that are counted. `state.route` is set when a route serves it. */
interface WatchedRequest {
  method: string;
  state: { route?: { path: string } };
  res: { statusCode: number; getHeader(name: string): unknown; once(event: 'close', listener: () => void): unknown };
}

export class DoorActivity {
  private readonly openRequests = new Set<WatchedRequest>();
  /**
   * Number of events that were sent to Socket.IO clients, by type. The senders count here themselves, because it happens too often for an observer.
   */
  readonly sentEvents = new Map<string, number>();

  constructor(private readonly deps: { clock: Clock; observer: Observer }) {}

  /** Tells the observer when the answer has ended. */
  watchRequest(request: WatchedRequest): void {
    const { clock, observer } = this.deps;
    const begunAt = clock.monotonic();
    this.openRequests.add(request);
    request.res.once('close', () => {
      this.openRequests.delete(request);
      const { method, state, res } = request;
      const durationMs = clock.monotonic() - begunAt;
      observer.note({ type: 'http_request', method, status: res.statusCode, durationMs, route: state.route?.path });
    });
  }

  /** Lists the route of each event stream that is open. */
  listStreams(): string[] {
    return [...this.openRequests].flatMap(({ state, res }) =>
      String(res.getHeader('content-type')).startsWith('text/event-stream') ? [state.route?.path ?? 'other'] : [],
    );
  }
}
