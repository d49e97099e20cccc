/** Speech recognition of the browser. Words come while the person speaks. */
import type { SpeechSession, StartSpeech } from './speech_session';
import type { VoiceProblem } from './voice_texts';

/** The parts of the Web Speech API that the page uses; Chrome and Safari have it under another name. */
interface Recognition extends EventTarget {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  start(): void;
  stop(): void;
  abort(): void;
}

interface RecognitionEvent extends Event {
  results: ArrayLike<ArrayLike<{ transcript: string }>>;
}

/** What the browser calls its errors. It says `aborted` when the page ends the session itself. */
const PROBLEMS: Readonly<Record<string, VoiceProblem | undefined>> = {
  'not-allowed': 'denied',
  'service-not-allowed': 'denied',
  'audio-capture': 'no_microphone',
  'no-speech': 'silence',
  network: 'unreachable',
  'language-not-supported': 'language',
};

export const recogniseSpeech: StartSpeech = (language, { onListening, onText, onEnd }): SpeechSession => {
  const recognition = createRecognition();
  let problem: VoiceProblem | undefined;
  let isCancelled = false;
  if (language !== undefined) recognition.lang = language;
  // On Android each result repeats those before it when the session goes on.
  recognition.continuous = !/Android/.test(navigator.userAgent);
  recognition.interimResults = true;
  recognition.addEventListener('start', onListening);
  recognition.addEventListener('result', event => {
    if (!isCancelled) onText(Array.from((event as RecognitionEvent).results, result => result[0]?.transcript ?? '').join(''));
  });
  recognition.addEventListener('error', event => {
    const { error } = event as Event & { error: string };
    if (error !== 'aborted') problem = PROBLEMS[error] ?? 'failed';
  });
  recognition.addEventListener('end', () => onEnd(problem));
  recognition.start();
  return {
    finish: () => recognition.stop(),
    cancel: () => {
      isCancelled = true;
      recognition.abort();
    },
  };
};

function createRecognition(): Recognition {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Record<string, (new () => Recognition) | undefined>;
  const Class = SpeechRecognition ?? webkitSpeechRecognition;
  if (!Class) throw new Error('This browser recognises no speech.');
  return new Class();
}
