/** Frequencies in Hz and start times in seconds of two short tones. */
const TONES = [
  [659, 0],
  [880, 0.14],
] as const;
const LENGTH_S = 0.3;
const VOLUME = 0.12;

let audio: AudioContext | undefined;

/** Plays two short tones. Silent where the browser forbids sounds, as it does before the first click on the page. */
export function playSound(): void {
  try {
    audio ??= new AudioContext();
    void audio.resume().catch(() => undefined);
    for (const [frequency, start] of TONES) playTone(audio, frequency, audio.currentTime + start);
  } catch {
    // The browser has no audio.
  }
}

function playTone(context: AudioContext, frequency: number, at: number): void {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  oscillator.frequency.value = frequency;
  volume.gain.setValueAtTime(VOLUME, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + LENGTH_S);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + LENGTH_S);
}
