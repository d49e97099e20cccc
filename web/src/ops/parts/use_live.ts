import { useEffect, useState } from 'preact/hooks';
import { refusalOf } from '../../api/request_error';
import { useOps } from '../shared/ops_controller';
import { followLiveView } from './live_view';
import type { Loadable } from './loadable';

export type LiveName = 'overview' | 'runs' | 'people' | 'tools' | 'models' | 'limits' | 'connections';

/** Follows a view of the gateway. The bar of the page says whether the data is live. Only the stream of the shown screen is open. */
export function useLive<T>(view: LiveName): Loadable<T> {
  const ops = useOps();
  const [state, setState] = useState<Pick<Loadable<T>, 'data' | 'status' | 'refusal'>>({ data: undefined, status: 'loading' });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    ops.store.set({ live: 'connecting', liveAt: undefined });
    const stop = followLiveView<T>(`/ops/stream?texts=true&view=${view}`, {
      onData: data => setState({ data, status: 'ready' }),
      onAlive: () => ops.store.set({ live: 'live', liveAt: Date.now() }),
      onLost: () => {
        ops.store.set({ live: 'stale' });
        setState(before => (before.data === undefined ? { ...before, status: 'failed' } : before));
      },
      onRefused: error => {
        ops.store.set({ live: 'still' });
        setState(before => ({ ...before, status: 'failed', refusal: refusalOf(error) }));
      },
    });
    return () => {
      stop();
      ops.store.set({ live: 'still', liveAt: undefined });
    };
  }, [view, attempt, ops]);
  return { ...state, reload: () => setAttempt(count => count + 1) };
}
