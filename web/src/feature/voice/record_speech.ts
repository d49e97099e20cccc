/** Records what the person says. The transcription model of the gateway turns it into text. */
import { requestRest } from '../../api/call_rest';
import { refusalOf } from '../../api/request_error';
import type { SpeechListener, SpeechSession, StartSpeech } from './speech_session';
import { toWav } from './to_wav';
import type { VoiceProblem } from './voice_texts';

/** A longer recording ends by itself. */
const LONGEST_MS = 5 * 60_000;

/** A cancelled session ends at once, also while the person is asked for the microphone or the gateway turns the speech into text. */
export const recordSpeech: StartSpeech = (language, listener): SpeechSession => {
  const [finish, cancel] = [new AbortController(), new AbortController()];
  let hasEnded = false;
  const onEnd: SpeechListener['onEnd'] = problem => {
    if (hasEnded) return;
    hasEnded = true;
    listener.onEnd(problem);
  };
  cancel.signal.addEventListener('abort', () => onEnd());
  void run(language, { ...listener, onEnd }, { finish: finish.signal, cancel: cancel.signal });
  return { finish: () => finish.abort(), cancel: () => cancel.abort() };
};

interface Ends {
  finish: AbortSignal;
  cancel: AbortSignal;
}

async function run(language: string | undefined, listener: SpeechListener, { finish, cancel }: Ends): Promise<void> {
  try {
    const recording = await record(listener, AbortSignal.any([finish, cancel]));
    cancel.throwIfAborted();
    if (!recording) return listener.onEnd();
    listener.onWriting();
    const text = await transcribe(await toWav(recording), language, cancel);
    cancel.throwIfAborted();
    if (text !== '') listener.onText(text);
    listener.onEnd(text === '' ? 'silence' : undefined);
  } catch (thrown) {
    listener.onEnd(cancel.aborted ? undefined : problemOf(thrown));
  }
}

/** Resolves with undefined when `end` came before the person allowed the microphone. */
async function record({ onListening }: SpeechListener, end: AbortSignal): Promise<Blob | undefined> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    if (end.aborted) return undefined;
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 64_000 });
    const pieces: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    const stopped = new Promise(resolve => recorder.addEventListener('stop', resolve, { once: true }));
    recorder.start();
    onListening();
    const stop = () => recorder.state !== 'inactive' && recorder.stop();
    const limit = setTimeout(stop, LONGEST_MS);
    end.addEventListener('abort', stop);
    await stopped;
    clearTimeout(limit);
    return new Blob(pieces, { type: recorder.mimeType });
  } finally {
    // The browser shows that the microphone is open until its tracks end.
    for (const track of stream.getTracks()) track.stop();
  }
}

/** Without a language the model finds out. */
async function transcribe(recording: Blob, language: string | undefined, signal: AbortSignal): Promise<string> {
  const type = recording.type.split(';')[0] || 'audio/webm';
  const path = `/transcriptions${language === undefined ? '' : `?language=${encodeURIComponent(language)}`}`;
  const response = await requestRest('POST', path, { body: recording, headers: { 'content-type': type }, signal });
  return ((await response.json()) as { text: string }).text;
}

function problemOf(thrown: unknown): VoiceProblem | { sentence: string } {
  const sentence = refusalOf(thrown);
  if (sentence !== undefined) return { sentence };
  const name = thrown instanceof DOMException ? thrown.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'NotReadableError') return 'no_microphone';
  return thrown instanceof Error && thrown.name === 'RequestError' ? 'lost' : 'failed';
}
