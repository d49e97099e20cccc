import { useEffect, useState } from 'preact/hooks';
import { type RunEstimate, readEstimate } from '../../api/price_api';
import type { ChatController } from '../../chat/chat_controller';
import { useStore } from '../../platform/store';
import { findModel } from '../../state/app_state';

interface Known {
  key: string;
  at: number;
  estimate: RunEstimate | undefined;
}

/** Milliseconds without typing before the gateway is asked. */
const PAUSE_MS = 1_000;
const KNOWN_MS = 60_000;

/** Returns what the next message will likely cost, once the person pauses: asked once a minute for each chat and model. Undefined: not asked yet. */
export function useRunPrice(controller: ChatController): Pick<Known, 'estimate'> | undefined {
  const { store } = controller;
  const text = useStore(store, state => state.draft.text.trim());
  const key = useStore(store, state => `${state.sessionId ?? ''} ${state.agent ?? ''} ${findModel(state)?.id}`);
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    const isFresh = known?.key === key && Date.now() - known.at < KNOWN_MS;
    if (text === '' || isFresh) return;
    const ask = async () => {
      // The price is a hint: without the gateway there is none.
      const { sessionId, agent, model } = store.get();
      const message = { input: text, sessionId, agent: sessionId === undefined ? agent : undefined, model };
      const estimate = await readEstimate(message).catch(() => undefined);
      setKnown({ key, at: Date.now(), estimate });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, key]);
  return text !== '' && known?.key === key ? known : undefined;
}
