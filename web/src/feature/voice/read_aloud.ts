/** Reads answers aloud with the voices of the browser, one at a time. */
import type { ChatController } from '../../chat/chat_controller';
import { createStore } from '../../platform/store';
import type { Turn } from '../../state/view_types';
import { chooseVoice, languageOf } from './choose_voice';
import { toSpeech } from './speech_text';
import { voiceTexts } from './voice_texts';

interface Reading {
  /** Key of the turn whose answer is read; absent: nothing is read. */
  key?: string;
  isPaused: boolean;
}

/** The browser has one voice at a time, so the page has one reading. */
export const reading = createStore<Reading>({ isPaused: false });

let stopWatching = () => {};

/** Reads Markdown from its beginning. Stops what was read before. */
export function readAloud(key: string, markdown: string, controller: ChatController): void {
  stopReading();
  const pieces = toSpeech(markdown, voiceTexts[controller.preferences.get().locale]);
  if (pieces.length === 0) return;
  reading.set({ key, isPaused: false });
  stopWatching = watchLeaving(controller);
  const lang = languageOf(pieces.join(' '), navigator.languages);
  const voice = chooseVoice(speechSynthesis.getVoices(), lang);
  for (const [i, piece] of pieces.entries()) {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.lang = voice?.lang ?? lang;
    utterance.voice = voice ?? null;
    const end = () => reading.get().key === key && stopReading();
    if (i === pieces.length - 1) utterance.addEventListener('end', end);
    utterance.addEventListener('error', ({ error }) => error !== 'canceled' && error !== 'interrupted' && end());
    speechSynthesis.speak(utterance);
  }
}

export function stopReading(): void {
  stopWatching();
  stopWatching = () => {};
  reading.set({ key: undefined, isPaused: false });
  // A paused voice would keep its pause for the next text.
  speechSynthesis.resume();
  speechSynthesis.cancel();
}

export function pauseReading(isPaused: boolean): void {
  if (isPaused) speechSynthesis.pause();
  else speechSynthesis.resume();
  reading.set({ isPaused });
}

/** The text of an answer, without its tool calls. */
export const answerOf = (turn: Turn): string => turn.items.flatMap(item => (item.kind === 'text' ? [item.text] : [])).join('\n\n');

/** A voice goes on when the page shows another chat, and in some browsers when it is gone. */
function watchLeaving({ store }: ChatController): () => void {
  const { sessionId } = store.get();
  const stop = store.subscribe(() => store.get().sessionId !== sessionId && stopReading());
  addEventListener('pagehide', stopReading);
  return () => {
    stop();
    removeEventListener('pagehide', stopReading);
  };
}
