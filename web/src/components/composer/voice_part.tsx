import type { ChatController } from '../../chat/chat_controller';
import { listSpeechWays } from '../../platform/speech_ways';
import { useStore } from '../../platform/store';
import { lazy } from '../basic/lazy';

/** Keeps the place of the button while its code loads. */
const VoiceButton = lazy(
  async () => (await import('../../feature/voice/voice_button')).VoiceButton,
  () => <i class="icon-button" />,
);

interface VoicePartProps {
  controller: ChatController;
  isUsable: boolean;
  field: { readonly current: HTMLTextAreaElement | null };
}

/** The microphone, where something can turn speech into text. */
export function VoicePart({ controller, ...props }: VoicePartProps) {
  const hasModel = useStore(controller.store, state => state.info?.transcription !== undefined);
  const chosen = useStore(controller.preferences, state => state.speechWay);
  const ways = listSpeechWays(hasModel);
  const way = ways.find(other => other === chosen) ?? ways[0];
  return way ? <VoiceButton controller={controller} way={way} {...props} /> : null;
}
