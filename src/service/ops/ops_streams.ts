/**
 * Live views of operators. A view is read every 2 seconds, once for all who watch it for the same tenant, and not at all while no one does. A
 * reader gets the view when it has changed.
 */
import { AppError, toAppError } from '../../errors';
import type { Clock } from '../../port/clock';
import type { LogError } from '../../port/logger';
import type { OpsView } from './ops_deps';

export const STREAM_VIEWS = ['overview', 'runs', 'people', 'tools', 'models', 'limits', 'connections'] as const;
export type StreamView = (typeof STREAM_VIEWS)[number];

/** Its functions must not throw. */
export interface ViewListener {
  /** Gets the JSON of the view. */
  send(json: string): void;
  /** Nothing follows, because the view cannot be read. */
  fail(error: AppError): void;
}

interface Channel {
  listeners: Set<ViewListener>;
  /** The JSON that was sent last, without the time at which it was read. */
  last?: string;
  json?: string;
  stopTimer: () => void;
}

export interface OpsStreamsDeps {
  clock: Clock;
  readView: (view: StreamView, scope: OpsView) => Promise<object>;
  onError: LogError;
}

const READ_MS = 2_000;
const MAX_WATCHERS = 200;

export class OpsStreams {
  private readonly channels = new Map<string, Channel>();
  private watchers = 0;

  constructor(private readonly deps: OpsStreamsDeps) {}

  /** Sends the view at once and then after each change. Returns the function that ends it. Throws `rate_limited` when too many watch. */
  watch(view: StreamView, scope: OpsView, listener: ViewListener): () => void {
    if (this.watchers >= MAX_WATCHERS)
      throw new AppError('rate_limited', { message: `At most ${MAX_WATCHERS} pages can watch at once.`, retryAfterMs: READ_MS });
    const key = `${view}\n${scope.tenantId ?? ''}`;
    const known = this.channels.get(key);
    const channel: Channel = known ?? { listeners: new Set(), stopTimer: () => {} };
    this.channels.set(key, channel);
    channel.listeners.add(listener);
    this.watchers += 1;
    if (channel.json !== undefined) listener.send(channel.json);
    if (!known) void this.read(key, channel, { view, scope });
    return () => this.leave(key, channel, listener);
  }

  private leave(key: string, channel: Channel, listener: ViewListener): void {
    if (!channel.listeners.delete(listener)) return;
    this.watchers -= 1;
    if (channel.listeners.size > 0) return;
    channel.stopTimer();
    if (this.channels.get(key) === channel) this.channels.delete(key);
  }

  /** Never rejects. */
  private async read(key: string, channel: Channel, what: { view: StreamView; scope: OpsView }): Promise<void> {
    try {
      const data = await this.deps.readView(what.view, what.scope);
      const { at: _at, ...content } = data as { at?: string };
      const compared = JSON.stringify(content);
      if (compared !== channel.last) {
        channel.last = compared;
        channel.json = JSON.stringify(data);
        for (const listener of channel.listeners) listener.send(channel.json);
      }
    } catch (thrown) {
      this.deps.onError(`the view ${what.view} of operators cannot be read`, thrown);
      // A stream that only falls silent would show old figures as live ones.
      if (this.channels.get(key) === channel) this.channels.delete(key);
      for (const listener of [...channel.listeners]) listener.fail(toAppError(thrown));
      return;
    }
    if (channel.listeners.size === 0 || this.channels.get(key) !== channel) return;
    channel.stopTimer = this.deps.clock.after(READ_MS, () => void this.read(key, channel, what));
  }
}
