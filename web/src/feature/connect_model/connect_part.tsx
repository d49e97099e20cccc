import { useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { useLocale } from '../../i18n/language_context';
import { readInfo } from './connect_api';
import { ConnectCard } from './connect_card';
import { connectTexts } from './connect_texts';

type Host = Pick<ChatController, 'store' | 'loadModels'>;

/** Offers a model to a gateway that answers with the demo. Disappears when the info of the gateway names a model. */
export function ConnectPart({ controller }: { controller: Host }) {
  const texts = connectTexts[useLocale()];
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <button type="button" class="button primary connect-open" data-testid="connect-open" onClick={() => setOpen(true)}>
        {texts.title}
      </button>
    );
  }
  const onConnected = async () => {
    const [info] = await Promise.all([readInfo(), controller.loadModels()]);
    controller.store.set({ info });
  };
  return <ConnectCard onConnected={() => void onConnected()} onBack={() => setOpen(false)} />;
}
