import { Pause, Play, Volume2 } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { Icon, LineIcon } from '../../components/basic/icon';
import { useLocale } from '../../i18n/language_context';
import { useStore } from '../../platform/store';
import type { Turn } from '../../state/view_types';
import { answerOf, pauseReading, readAloud, reading, stopReading } from './read_aloud';
import { voiceTexts } from './voice_texts';
import './voice.css';

interface ReadButtonProps {
  turn: Turn;
  controller: ChatController;
}

/** Reads an answer aloud, pauses and stops. Shows nothing in a browser without voices. */
export function ReadButton({ turn, controller }: ReadButtonProps) {
  const texts = voiceTexts[useLocale()];
  const hasVoices = useVoices();
  const isRead = useStore(reading, state => state.key === turn.key);
  const isPaused = useStore(reading, state => state.isPaused);
  if (!hasVoices) return null;
  if (!isRead) {
    return (
      <button
        type="button"
        class="icon-button small"
        title={texts.read}
        aria-label={texts.read}
        data-testid="read-aloud"
        onClick={() => readAloud(turn.key, answerOf(turn), controller)}
      >
        <LineIcon node={Volume2} />
      </button>
    );
  }
  const label = isPaused ? texts.resume : texts.pause;
  return (
    <>
      <button
        type="button"
        class="icon-button small reading"
        title={label}
        aria-label={label}
        data-testid="pause-reading"
        onClick={() => pauseReading(!isPaused)}
      >
        <LineIcon node={isPaused ? Play : Pause} />
      </button>
      <button
        type="button"
        class="icon-button small reading"
        title={texts.stop}
        aria-label={texts.stop}
        data-testid="stop-reading"
        onClick={stopReading}
      >
        <Icon name="stop" />
      </button>
    </>
  );
}

/** Returns whether the browser has voices. Some browsers load them a moment after the page. */
export function useVoices(): boolean {
  const [has, setHas] = useState(hasVoices);
  useEffect(() => {
    const look = () => setHas(hasVoices());
    look();
    globalThis.speechSynthesis?.addEventListener?.('voiceschanged', look);
    return () => globalThis.speechSynthesis?.removeEventListener?.('voiceschanged', look);
  }, []);
  return has;
}

const hasVoices = (): boolean => (globalThis.speechSynthesis?.getVoices().length ?? 0) > 0;
