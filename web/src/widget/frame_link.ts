/** Opens the chat in a frame and exchanges messages with it. */
import { type FromFrame, mark, readMessage, type ToFrame } from './frame_messages';

export interface FrameLink {
  /** Messages before the frame is ready wait for it. */
  post(message: ToFrame): void;
  end(): void;
}

export interface FrameListeners {
  onMessage(message: FromFrame): void;
  /** Called when the frame has not spoken for a while: the gateway is away, or the browser refused to show the frame. */
  onSilence(): void;
}

/** Milliseconds until the frame must speak, which it does as soon as its script runs. A frame that speaks later is shown all the same. */
const PATIENCE_MS = 10_000;
/** The same once the frame is loaded. A browser that refuses a frame loads an empty page in its place. */
const LOADED_PATIENCE_MS = 1_500;

export function openFrame(frame: HTMLIFrameElement, address: URL, { onMessage, onSilence }: FrameListeners): FrameLink {
  let hasSpoken = false;
  let isReady = false;
  let waiting: ToFrame[] = [];
  let timer = setTimeout(onSilence, PATIENCE_MS);
  const hurry = () => {
    clearTimeout(timer);
    if (!hasSpoken) timer = setTimeout(onSilence, LOADED_PATIENCE_MS);
  };
  const send = (message: ToFrame) => frame.contentWindow?.postMessage(mark(message), address.origin);
  const receive = ({ source, origin, data }: MessageEvent) => {
    if (source !== frame.contentWindow || origin !== address.origin) return;
    const message = readMessage<FromFrame>(data);
    if (!message) return;
    clearTimeout(timer);
    hasSpoken = true;
    // The frame may load anew, and is not ready then.
    if (message.type === 'hello') isReady = false;
    onMessage(message);
    if (message.type !== 'ready') return;
    isReady = true;
    for (const each of waiting) send(each);
    waiting = [];
  };
  addEventListener('message', receive);
  frame.addEventListener('load', hurry);
  frame.src = address.href;
  return {
    post: message => {
      // A frame that has spoken waits for its options; one that has not gets the newest options then.
      if (isReady || (hasSpoken && message.type === 'options')) send(message);
      else if (message.type !== 'options') waiting.push(message);
    },
    end: () => {
      clearTimeout(timer);
      frame.removeEventListener('load', hurry);
      removeEventListener('message', receive);
    },
  };
}
