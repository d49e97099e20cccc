import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useStore } from '../../platform/store';
import { nameIn } from '../../state/chat_people';
import { type AskedRow, listAsked } from './asked_api';
import { AskedOfYou } from './asked_of_you';
import './asked.css';

/** Milliseconds between two readings, besides those after a change that the gateway tells. */
const INTERVAL_MS = 15_000;

/** Reads what colleagues' chats ask this person, and shows it above the chat. */
export function AskedPart({ controller }: { controller: ChatController }) {
  const [rows, setRows] = useState<readonly AskedRow[]>([]);
  const canDecide = useStore(controller.store, state => state.me?.scopes.includes('approve') ?? false);
  const changes = useStore(controller.store, state => state.changesTold);
  // A list that cannot be read stays as it is; the connection banner says that the gateway is away.
  const read = useCallback(() => void listAsked(canDecide).then(setRows, () => {}), [canDecide]);
  useEffect(() => {
    read();
    // A page that nobody looks at hears of news by push.
    const timer = setInterval(() => (document.hidden ? undefined : read()), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [read, changes]);
  const me = useStore(controller.store, state => state.me);
  const peopleNames = useStore(controller.store, state => state.peopleNames);
  const nameOf = (handle: string) => nameIn({ me, peopleNames }, handle);
  return rows.length === 0 ? null : <AskedOfYou rows={rows} nameOf={nameOf} onDone={read} />;
}
