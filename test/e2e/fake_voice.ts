/** Runs in the page before its scripts. Chromium without a window recognises no speech and has no voices: those of the test take their place. */

export interface FakeVoice {
  /** Tells the page what the person has said so far. */
  hear(text: string): void;
  /** Ends the session with an error of the Web Speech API. */
  fail(error: string): void;
  /** The language of the last session, and whether it goes on. */
  lang: string;
  isListening: boolean;
  /** The texts that are read aloud, each with the language of its voice. */
  spoken: string[];
  isPaused: boolean;
  /** Ends the text that is read. */
  endReading(): void;
}

export function useFakeVoice(): void {
  let recognition: Recognition | undefined;
  let queue: SpeechSynthesisUtterance[] = [];
  const voice: FakeVoice = {
    lang: '',
    isListening: false,
    spoken: [],
    isPaused: false,
    hear: text => recognition?.dispatchEvent(Object.assign(new Event('result'), { results: [[{ transcript: text }]] })),
    fail: error => {
      recognition?.dispatchEvent(Object.assign(new Event('error'), { error }));
      recognition?.stop();
    },
    endReading: () => {
      for (const utterance of queue.splice(0)) utterance.dispatchEvent(new Event('end'));
    },
  };
  class Recognition extends EventTarget {
    lang = '';
    start() {
      recognition = this;
      Object.assign(voice, { lang: this.lang, isListening: true });
      queueMicrotask(() => this.dispatchEvent(new Event('start')));
    }
    stop() {
      voice.isListening = false;
      queueMicrotask(() => this.dispatchEvent(new Event('end')));
    }
    abort() {
      this.stop();
    }
  }
  const voices = ['en-US', 'zh-CN'].map(lang => ({ lang, name: lang, voiceURI: lang, localService: true, default: false }));
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    speak: (utterance: SpeechSynthesisUtterance) => {
      queue.push(utterance);
      voice.spoken.push(`${utterance.lang}: ${utterance.text}`);
    },
    pause: () => Object.assign(voice, { isPaused: true }),
    resume: () => Object.assign(voice, { isPaused: false }),
    cancel: () => {
      queue = [];
      voice.spoken.splice(0);
    },
  });
  class Utterance extends EventTarget {
    lang = '';
    voice: unknown = null;
    constructor(readonly text: string) {
      super();
    }
  }
  Object.assign(globalThis, { fakeVoice: voice, webkitSpeechRecognition: Recognition, SpeechSynthesisUtterance: Utterance });
  Reflect.deleteProperty(globalThis, 'SpeechRecognition');
  Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis });
}
