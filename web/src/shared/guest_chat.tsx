import { useEffect, useState } from 'preact/hooks';
import { setAccessKey } from '../api/access_key';
import { callRest } from '../api/call_rest';
import type { Me } from '../api/rest_types';
import { type ChatController, createChatController } from '../chat/chat_controller';
import { EmbedApp, type Surroundings } from '../embed/embed_app';
import { followDownloads } from '../embed/follow_downloads';
import type { HostLink } from '../embed/host_link';
import { messagesFor } from '../i18n/messages';
import type { Preferences } from '../platform/preferences';
import { createStore, type Store, useStore } from '../platform/store';
import '../styles/chat_styles';
import '../embed/embed.css';

export interface GuestChatProps {
  /** The token of the link, which the guest shows as a key. */
  token: string;
  title: string;
  preferences: Store<Preferences>;
  /** Called when the link has ended. */
  onEnd: () => void;
}

/** No page is around this one. */
const NO_HOST: HostLink = { tell: () => undefined, listen: () => undefined, options: Promise.resolve(undefined) };

/** The chat in which the holder of the link writes: the parts of the embedded chat, with one session. */
export function GuestChat({ token, title, preferences, onEnd }: GuestChatProps) {
  const [controller, setController] = useState<ChatController>();
  const [surroundings] = useState(() => createStore<Surroundings>({ title, isPanel: false, isOnlyChat: true }));
  useEffect(() => {
    setAccessKey(token);
    callRest<Me>('GET', '/me').then(me => setController(openChat(me, preferences)), onEnd);
  }, [token]);
  if (!controller) return null;
  return <OpenChat controller={controller} preferences={preferences} surroundings={surroundings} onEnd={onEnd} />;
}

interface OpenChatProps extends Pick<GuestChatProps, 'preferences' | 'onEnd'> {
  controller: ChatController;
  surroundings: Store<Surroundings>;
}

function OpenChat({ controller, preferences, surroundings, onEnd }: OpenChatProps) {
  const hasEnded = useStore(controller.store, ({ isLoginNeeded, phase }) => isLoginNeeded || phase === 'missing');
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded]);
  return <EmbedApp controller={controller} preferences={preferences} surroundings={surroundings} host={NO_HOST} />;
}

function openChat({ guestOf }: Me, preferences: Store<Preferences>): ChatController {
  const controller = createChatController(preferences, {
    place: { read: () => guestOf, write: () => undefined },
    isView: () => false,
    startOver: () => location.reload(),
    single: { logIn: () => Promise.reject(new Error('The link has ended.')) },
  });
  followDownloads(() => controller.notify(messagesFor(preferences.get().locale).requestFailed));
  return controller;
}
