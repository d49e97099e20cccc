/** Records what the person says. The transcription model of the gateway turns it into text. */
import { callRest } from '../../api/call_rest';
import { refusalOf } from '../../api/request_error';
import type { SpeechListener, SpeechSession, StartSpeech } from './speech_session';
import { toWav } from './to_wav';
import type { VoiceProblem } from './voice_texts';

/** A longer recording ends by itself. */
const LONGEST_MS = 5 * 60_000;

export const recordSpeech: StartSpeech = (language, listener): SpeechSession => {
  const [finish, cancel] = [new AbortController(), new AbortController()];
  void run(language, listener, { finish: finish.signal, cancel: cancel.signal });
  return { finish: () => finish.abort(), cancel: () => cancel.abort() };
};

interface Ends {
  finish: AbortSignal;
  cancel: AbortSignal;
}

async function run(language: string, listener: SpeechListener, { finish, cancel }: Ends): Promise<void> {
  try {
    const recording = await record(listener, AbortSignal.any([finish, cancel]));
    if (!cancel.aborted) {
      listener.onWriting();
      const text = await transcribe(await toWav(recording), language);
      if (!cancel.aborted && text !== '') listener.onText(text);
      if (text === '') return listener.onEnd('silence');
    }
    listener.onEnd();
  } catch (thrown) {
    listener.onEnd(cancel.aborted ? undefined : problemOf(thrown));
  }
}

async function record({ onListening }: SpeechListener, end: AbortSignal): Promise<Blob> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  try {
    const recorder = new MediaRecorder(stream, { audioBitsPerSecond: 64_000 });
    const pieces: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data));
    const stopped = new Promise(resolve => recorder.addEventListener('stop', resolve, { once: true }));
    recorder.start();
    onListening();
    const stop = () => recorder.state !== 'inactive' && recorder.stop();
    const limit = setTimeout(stop, LONGEST_MS);
    end.addEventListener('abort', stop);
    if (end.aborted) stop();
    await stopped;
    clearTimeout(limit);
    return new Blob(pieces, { type: recorder.mimeType });
  } finally {
    // The browser shows that the microphone is open until its tracks end.
    for (const track of stream.getTracks()) track.stop();
  }
}

async function transcribe(recording: Blob, language: string): Promise<string> {
  const type = recording.type.split(';')[0] || 'audio/webm';
  const answer = await callRest<{ text: string }>('POST', `/transcriptions?language=${language}`, recording, { 'content-type': type });
  return answer.text;
}

function problemOf(thrown: unknown): VoiceProblem | { sentence: string } {
  const sentence = refusalOf(thrown);
  if (sentence !== undefined) return { sentence };
  const name = thrown instanceof DOMException ? thrown.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotFoundError' || name === 'NotReadableError') return 'no_microphone';
  return thrown instanceof Error && thrown.name === 'RequestError' ? 'lost' : 'failed';
}
