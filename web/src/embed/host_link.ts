/** The page around the frame, in which <neta-chat> stands. */
import { type FrameOptions, type FromFrame, mark, readMessage, type ToFrame } from '../widget/frame_messages';

export interface HostLink {
  tell(message: FromFrame): void;
  /** Calls the listener with each message of the page. */
  listen(listener: (message: ToFrame) => void): void;
  /** Resolves with the first options; at once with none when the page around is no <neta-chat>, or there is none. */
  readonly options: Promise<FrameOptions | undefined>;
}

/**
 * `origin`: the origin of the page around, as the address of the frame names it. The browser shows the frame only to pages of allowed origins, and
 * delivers messages to this origin alone.
 */
export function connectHost(origin: string | null): HostLink {
  if (parent === window || origin === null || !isOrigin(origin)) {
    return { tell: () => undefined, listen: () => undefined, options: Promise.resolve(undefined) };
  }
  const tell = (message: FromFrame) => parent.postMessage(mark(message), origin);
  const listen = (listener: (message: ToFrame) => void) =>
    addEventListener('message', event => {
      if (event.source !== parent || event.origin !== origin) return;
      const message = readMessage<ToFrame>(event.data);
      if (message) listener(message);
    });
  const options = new Promise<FrameOptions>(resolve => listen(message => message.type === 'options' && resolve(message.options)));
  tell({ type: 'hello' });
  return { tell, listen, options };
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;
