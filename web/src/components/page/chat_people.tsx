import type { ComponentChildren } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useStore } from '../../platform/store';
import { isTogether, mayDecide, mayWrite, nameIn, partInChat } from '../../state/chat_people';
import { PeopleContext } from '../../state/people_context';
import { type Permission, ScopeContext } from '../../state/scope_context';

/** What those who only read or decide may not do. */
const WRITING: ReadonlySet<Permission> = new Set(['chat', 'branch', 'rate']);

/** Tells the parts of the open chat who its people are, and takes away what the person may not do in it. */
export function ChatPeople({ controller: { store }, children }: { controller: ChatController; children: ComponentChildren }) {
  const part = useStore(store, partInChat);
  const shows = useStore(store, isTogether);
  const me = useStore(store, state => state.me);
  const peopleNames = useStore(store, state => state.peopleNames);
  const permissions = useContext(ScopeContext);
  const left = useMemo(
    () => permissions?.filter(name => (WRITING.has(name) ? mayWrite(part) : name === 'approve' ? mayDecide(part) : true)),
    [permissions, part],
  );
  const people = useMemo(
    () => ({ part, own: me?.keyName, isTogether: shows, nameOf: (handle: string) => nameIn({ me, peopleNames }, handle) }),
    [part, me, shows, peopleNames],
  );
  return (
    <ScopeContext.Provider value={left}>
      <PeopleContext.Provider value={people}>{children}</PeopleContext.Provider>
    </ScopeContext.Provider>
  );
}
