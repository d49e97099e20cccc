import { useEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useMessages } from '../../i18n/language_context';
import { useStore } from '../../platform/store';

/** Shorter disconnects are not shown. Milliseconds. */
const PATIENCE_MS = 800;

export function ConnectionBanner({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const connection = useStore(controller.store, state => state.connection);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (connection === 'online') {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  if (!shown || connection === 'online') return <div role="status" />;
  return (
    <div class="banner" role="status" data-testid="connection-banner">
      <span class="spinner" />
      <span>{connection === 'offline' ? messages.offline : messages.connecting}</span>
      <button type="button" class="link-button" onClick={controller.reconnect}>
        {messages.reconnectNow}
      </button>
    </div>
  );
}
