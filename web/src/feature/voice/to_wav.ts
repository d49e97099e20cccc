/** Turns recordings into WAV, the one format that every transcription server reads: 16,000 samples a second, one channel. */

const RATE = 16_000;
const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

/** Resolves with the recording itself when the browser cannot decode it. */
export async function toWav(recording: Blob): Promise<Blob> {
  // The context decides the rate of what it decodes.
  const context = new OfflineAudioContext(1, 1, RATE);
  const sound = await context.decodeAudioData(await recording.arrayBuffer()).catch(() => undefined);
  if (!sound) return recording;
  const channels = Array.from({ length: sound.numberOfChannels }, (_, i) => sound.getChannelData(i));
  return new Blob([writeWav(mix(channels, sound.length))], { type: 'audio/wav' });
}

function mix(channels: readonly Float32Array[], length: number): Float32Array {
  const mixed = new Float32Array(length);
  for (const channel of channels) for (let i = 0; i < length; i++) mixed[i] = (mixed[i] ?? 0) + (channel[i] ?? 0) / channels.length;
  return mixed;
}

/** Returns the file for samples from -1 to 1. */
export function writeWav(samples: Float32Array): ArrayBuffer {
  const bytes = samples.length * SAMPLE_BYTES;
  const view = new DataView(new ArrayBuffer(HEADER_BYTES + bytes));
  const write = (offset: number, text: string) => {
    for (const [i, letter] of [...text].entries()) view.setUint8(offset + i, letter.charCodeAt(0));
  };
  write(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + bytes, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  // Format 1: plain samples; one channel.
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * SAMPLE_BYTES, true);
  view.setUint16(32, SAMPLE_BYTES, true);
  view.setUint16(34, SAMPLE_BYTES * 8, true);
  write(36, 'data');
  view.setUint32(40, bytes, true);
  for (const [i, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + i * SAMPLE_BYTES, Math.round(Math.max(-1, Math.min(1, sample)) * 0x7fff), true);
  return view.buffer;
}
