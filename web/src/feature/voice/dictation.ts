/** A person speaks the message: the words go into the message field. */
import type { ChatController } from '../../chat/chat_controller';
import { typeInto } from '../../platform/drafts';
import type { SpeechWay } from '../../platform/speech_ways';
import { createStore, type Store } from '../../platform/store';
import { findOpenQuestion } from '../../state/view_types';
import { recogniseSpeech } from './recognise_speech';
import { recordSpeech } from './record_speech';
import type { SpeechSession } from './speech_session';
import { spokenLanguage } from './spoken_language';
import { insertSpoken, placeAt, placeBehind } from './spoken_place';
import { type VoiceProblem, voiceTexts } from './voice_texts';

export interface DictationState {
  /** `asking`: the person has not allowed the microphone yet. */
  phase: 'idle' | 'asking' | 'listening' | 'writing';
  way?: SpeechWay;
  /** When the microphone was opened, in milliseconds since 1970. */
  startedAt?: number;
  /** A sentence about why the last words did not come. */
  problem?: string;
}

export interface Dictation {
  readonly store: Store<DictationState>;
  /** Opens the microphone. The words come at the cursor of the field. */
  start(way: SpeechWay, cursor: number): void;
  finish(): void;
  cancel(): void;
  dismiss(): void;
}

/** `onSpoken`: called when words have come into the message field. */
export function createDictation(controller: ChatController, onSpoken: () => void): Dictation {
  const store = createStore<DictationState>({ phase: 'idle' });
  let session: SpeechSession | undefined;

  const start = (way: SpeechWay, cursor: number) => {
    if (session) return;
    const field = openField(controller, cursor, () => session?.cancel());
    const listen = way === 'browser' ? recogniseSpeech : recordSpeech;
    store.set({ phase: 'asking', way, problem: undefined });
    // A page that the person has left hears nothing more.
    const finishHidden = () => document.hidden && session?.finish();
    document.addEventListener('visibilitychange', finishHidden);
    session = listen(spokenLanguage(controller.preferences.get(), way), {
      onListening: () => store.set({ phase: 'listening', startedAt: Date.now() }),
      onWriting: () => store.set({ phase: 'writing' }),
      onText: text => {
        field.write(text);
        onSpoken();
      },
      onEnd: problem => {
        session = undefined;
        document.removeEventListener('visibilitychange', finishHidden);
        field.close();
        store.set({ phase: 'idle', problem: problem && toSentence(problem, controller) });
      },
    });
  };
  return {
    store,
    start,
    finish: () => session?.finish(),
    cancel: () => session?.cancel(),
    dismiss: () => store.set({ problem: undefined }),
  };
}

/** Writes words into the message field. `onLeft`: the person has sent the text or opened another chat. */
function openField({ store, setDraft }: ChatController, cursor: number, onLeft: () => void) {
  const { sessionId, draft } = store.get();
  let place = placeAt(draft.text, cursor);
  let written = draft.text;
  let words = '';
  const stopWatching = store.subscribe(() => {
    const now = store.get();
    const isSent = written !== '' && now.draft.text === '';
    if (isSent || now.sessionId !== sessionId) onLeft();
  });
  return {
    close: stopWatching,
    write: (said: string) => {
      const now = store.get();
      if (now.draft.text !== written) place = placeBehind(now.draft.text, words);
      words = said;
      const text = insertSpoken(place, said);
      written = text;
      setDraft(typeInto(now.draft, text, findOpenQuestion(now.view)?.requestId));
    },
  };
}

function toSentence(problem: VoiceProblem | { sentence: string }, { preferences }: ChatController): string {
  return typeof problem === 'string' ? voiceTexts[preferences.get().locale].problems[problem] : problem.sentence;
}
