import { useEffect } from 'preact/hooks';
import { readNames } from '../../components/people/people_names';
import { type Store, useStore } from '../../platform/store';
import type { AppState } from '../../state/app_state';
import { readPeople } from './people_api';

/** Reads the names of the people, and who takes part in the open chat, as often as they may have changed. */
export function useFollowPeople(store: Store<AppState>): void {
  const person = useStore(store, ({ me }) => me?.person?.id);
  const sessionId = useStore(store, state => (state.openSession?.id === state.sessionId ? state.sessionId : undefined));
  const isOnline = useStore(store, ({ connection }) => connection === 'online');
  const changed = useStore(store, ({ changedParticipants }) => changedParticipants);
  useEffect(() => {
    if (person !== undefined && isOnline) void readNames(store);
  }, [person, isOnline]);
  useEffect(() => {
    // A failure leaves what the page knows; the next change or connection reads again.
    if (sessionId !== undefined && isOnline) void readPeople(store, sessionId).catch(() => undefined);
  }, [sessionId, isOnline, changed]);
}
