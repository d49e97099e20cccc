/**
 * Live views of operators. A view is read every 2 seconds, once for all watchers who see the same, and not at all without watchers. A watcher gets
 * the view when it has changed.
 */
import type { Static } from '@sinclair/typebox';
import { AppError, toAppError } from '../../../errors';
import type { Clock } from '../../../port/clock';
import type { LogError } from '../../../port/logger';
import { type Actor, actorId, LOCAL_KEY_NAME } from '../../../port/principal';
import type { OpsStreamQuery } from '../schemas/request_schemas';
import type { OpsView } from '../shared/ops_view';

export type StreamView = Static<typeof OpsStreamQuery>['view'];

/** Reads what the route of each view answers without a query. */
export type ViewReaders = Readonly<Record<StreamView, (scope: OpsView) => Promise<object>>>;

/** A watcher. Its functions must not throw. */
export interface ViewListener {
  /** Gets the JSON of the view. */
  send(json: string): void;
  /** Nothing follows, because the view cannot be read. */
  fail(error: AppError): void;
}

interface Channel {
  listeners: Set<ViewListener>;
  /** The JSON that was sent last, without the time of the reading. */
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
/** Limits of watchers, so that one tenant or one key does not take the places of the others. */
const MAX_OF_TENANT = 100;
const MAX_OF_KEY = 50;

export class OpsStreams {
  private readonly channels = new Map<string, Channel>();
  private watchers = 0;
  /** Tenant, or tenant and key -> number of its watchers. */
  private readonly watchersOf = new Map<string, number>();

  constructor(private readonly deps: OpsStreamsDeps) {}

  /** Sends the view at once and after each change. Returns the function that ends the watch. Throws `rate_limited` when too many watch. */
  watch({ view, scope, watcher }: { view: StreamView; scope: OpsView; watcher: Actor }, listener: ViewListener): () => void {
    const release = this.takePlace(watcher);
    const key = [view, scope.tenantId ?? '', readerOf(scope)].join('\n');
    const known = this.channels.get(key);
    const channel: Channel = known ?? { listeners: new Set(), stopTimer: () => {} };
    this.channels.set(key, channel);
    channel.listeners.add(listener);
    if (channel.json !== undefined) listener.send(channel.json);
    if (!known) void this.read(key, channel, { view, scope });
    return () => {
      release();
      this.leave(key, channel, listener);
    };
  }

  /** Returns the function that gives the place back. Throws `rate_limited`. */
  takePlace({ tenantId, keyName = LOCAL_KEY_NAME }: Actor): () => void {
    const counted = [tenantId, `${tenantId}\n${keyName}`];
    const [ofTenant = 0, ofKey = 0] = counted.map(name => this.watchersOf.get(name) ?? 0);
    if (this.watchers >= MAX_WATCHERS) throw tooMany(MAX_WATCHERS, 'of this gateway', '本网关');
    if (ofTenant >= MAX_OF_TENANT) throw tooMany(MAX_OF_TENANT, 'of this tenant', '该租户');
    if (ofKey >= MAX_OF_KEY) throw tooMany(MAX_OF_KEY, 'of this key', '该密钥');
    const add = (change: number) => {
      this.watchers += change;
      for (const name of counted) {
        const count = (this.watchersOf.get(name) ?? 0) + change;
        if (count > 0) this.watchersOf.set(name, count);
        else this.watchersOf.delete(name);
      }
    };
    add(1);
    let isTaken = true;
    return () => {
      if (isTaken) add(-1);
      isTaken = false;
    };
  }

  private leave(key: string, channel: Channel, listener: ViewListener): void {
    if (!channel.listeners.delete(listener)) return;
    if (channel.listeners.size > 0) return;
    channel.stopTimer();
    if (this.channels.get(key) === channel) this.channels.delete(key);
  }

  /** Reads a view and sends it when it has changed. Never rejects. */
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
      // Ends the streams of a view that cannot be read: a stream that falls silent would show old figures as live.
      if (this.channels.get(key) === channel) this.channels.delete(key);
      for (const listener of [...channel.listeners]) listener.fail(toAppError(thrown));
      return;
    }
    if (channel.listeners.size === 0 || this.channels.get(key) !== channel) return;
    channel.stopTimer = this.deps.clock.after(READ_MS, () => void this.read(key, channel, what));
  }
}

/** Names the reader of texts of other tenants: these readers share no reading, because the audit log names each of them. */
function readerOf({ tenantId, textReader }: OpsView): string {
  if (!textReader) return '';
  return tenantId === textReader.tenantId && textReader.person === undefined ? 'texts' : actorId(textReader);
}

const tooMany = (most: number, whose: string, whoseZh: string): AppError =>
  new AppError('rate_limited', {
    message: `At most ${most} pages ${whose} can watch at once.`,
    messageZh: `${whoseZh}最多同时有 ${most} 个页面观看。`,
    retryAfterMs: READ_MS,
  });
