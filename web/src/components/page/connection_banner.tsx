import { useEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import type { ConnectionState } from '../../connection/gateway_socket';
import { useMessages } from '../../i18n/language_context';
import type { Messages } from '../../i18n/messages';
import { useStore } from '../../platform/store';

/** Shorter disconnects are not shown. Milliseconds. */
const PATIENCE_MS = 800;

/** Without a network the browser knows that it is offline; otherwise the gateway is away, and nobody knows what its agent does. */
function textOf(connection: ConnectionState, hasNetwork: boolean, messages: Messages): string {
  if (connection === 'connecting') return messages.connecting;
  return hasNetwork ? messages.gatewayAway : messages.offline;
}

export function ConnectionBanner({ controller }: { controller: ChatController }) {
  const messages = useMessages();
  const connection = useStore(controller.store, state => state.connection);
  const [shown, setShown] = useState(false);
  const [hasNetwork, setHasNetwork] = useState(navigator.onLine);
  useEffect(() => {
    const read = () => setHasNetwork(navigator.onLine);
    addEventListener('online', read);
    addEventListener('offline', read);
    return () => {
      removeEventListener('online', read);
      removeEventListener('offline', read);
    };
  }, []);
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
      <span>{textOf(connection, hasNetwork, messages)}</span>
      <button type="button" class="link-button" onClick={controller.reconnect}>
        {messages.reconnectNow}
      </button>
    </div>
  );
}
