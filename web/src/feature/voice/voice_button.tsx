import { Mic } from 'lucide';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { ChatController } from '../../chat/chat_controller';
import { Icon, LineIcon } from '../../components/basic/icon';
import { useNow } from '../../components/basic/use_now';
import { useLocale } from '../../i18n/language_context';
import { hasKeyboard } from '../../platform/has_keyboard';
import type { SpeechWay } from '../../platform/speech_ways';
import { useStore } from '../../platform/store';
import { createDictation, type Dictation } from './dictation';
import { followSpoken } from './follow_spoken';
import { voiceTexts } from './voice_texts';
import './voice.css';

interface VoiceButtonProps {
  controller: ChatController;
  way: SpeechWay;
  isUsable: boolean;
  field: { readonly current: HTMLTextAreaElement | null };
}

/** Opens the microphone for the message field. The same button, or Escape, ends it. */
export function VoiceButton({ controller, way, isUsable, field }: VoiceButtonProps) {
  const texts = voiceTexts[useLocale()];
  const dictation = useDictation(controller);
  const phase = useStore(dictation.store, state => state.phase);
  const isOpen = phase !== 'idle';
  useEscape(isOpen, dictation);
  const press = () => {
    if (!isOpen) return dictation.start(way, field.current?.selectionEnd ?? Number.MAX_SAFE_INTEGER);
    if (phase === 'listening') dictation.finish();
    else dictation.cancel();
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  };
  const label = { idle: texts.speak, asking: texts.cancel, listening: texts.finish, writing: texts.cancel }[phase];
  return (
    <>
      <VoiceNote dictation={dictation} controller={controller} />
      <button
        type="button"
        class="icon-button voice-button"
        aria-label={label}
        title={label}
        aria-pressed={isOpen}
        disabled={!isUsable && !isOpen}
        data-phase={phase}
        data-testid="voice"
        onClick={press}
      >
        <LineIcon node={Mic} />
      </button>
    </>
  );
}

function useDictation(controller: ChatController): Dictation {
  const [{ dictation, stop }] = useState(() => {
    const spoken = followSpoken(controller);
    return { dictation: createDictation(controller, spoken.remember), stop: spoken.stop };
  });
  useEffect(
    () => () => {
      dictation.cancel();
      stop();
    },
    [],
  );
  return dictation;
}

/** Takes Escape before the page, which would stop the run. A recording is discarded; words that stand in the field stay. */
function useEscape(isOpen: boolean, dictation: Dictation): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      if (dictation.store.get().way === 'browser') dictation.finish();
      else dictation.cancel();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [isOpen, dictation]);
}

/** Says above the message field that the microphone is open, or why no words came. */
function VoiceNote({ dictation, controller }: { dictation: Dictation; controller: ChatController }) {
  const texts = voiceTexts[useLocale()];
  const text = useStore(controller.store, state => state.draft.text);
  // The person goes on without the words.
  useLayoutEffect(dictation.dismiss, [text]);
  const { phase, way, problem } = useStore(dictation.store, state => state);
  return (
    <div class="voice-notes">
      <p role="status" class={phase === 'idle' ? undefined : 'voice-note'} data-testid="voice-state">
        {phase === 'asking' && texts.asking}
        {phase === 'writing' && texts.writing}
        {phase === 'listening' && (
          <>
            <i class="voice-dot" aria-hidden="true" />
            {way === 'browser' ? texts.listening : <Recorded dictation={dictation} />}
            {hasKeyboard() && <span class="voice-key">{way === 'browser' ? texts.escapeEnds : texts.escapeDiscards}</span>}
          </>
        )}
      </p>
      <div role="alert">
        {problem && (
          <p class="voice-note problem" data-testid="voice-problem">
            {problem}
            <button type="button" class="icon-button small" aria-label={texts.dismiss} title={texts.dismiss} onClick={dictation.dismiss}>
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** The seconds are no news to a screen reader. */
function Recorded({ dictation }: { dictation: Dictation }) {
  const texts = voiceTexts[useLocale()];
  const seconds = Math.max(0, Math.floor((useNow(500) - (dictation.store.get().startedAt ?? 0)) / 1000));
  const elapsed = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <>
      <span class="visually-hidden">{texts.recording('')}</span>
      <span aria-hidden="true">{texts.recording(elapsed)}</span>
    </>
  );
}
