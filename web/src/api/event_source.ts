/** Reads a stream of server-sent events over fetch, which shows comments, statuses and errors that EventSource hides. */
import { requestRest } from './call_rest';

interface StreamListeners {
  /** Called with the data of one event and its name; `message` for an event without a name. */
  onEvent: (name: string, data: string) => void;
  /** Any bytes have arrived: the connection lives. */
  onBytes: () => void;
}

/** Resolves when the stream has ended. Rejects with a RequestError when it was refused or lost, and with an AbortError after `signal`. */
export async function readEventStream(path: string, { onEvent, onBytes }: StreamListeners, signal: AbortSignal): Promise<void> {
  const response = await requestRest('GET', path, { headers: { accept: 'text/event-stream' }, signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = fieldOf(block, 'data');
      if (data !== undefined) onEvent(fieldOf(block, 'event') ?? 'message', data);
    }
  }
}

/** Returns the lines of one field of an event, joined; undefined without any. */
function fieldOf(block: string, name: string): string | undefined {
  const lines = block.split(/\r?\n/).filter(line => line.startsWith(`${name}:`));
  return lines.length === 0 ? undefined : lines.map(line => line.slice(name.length + 1).replace(/^ /, '')).join('\n');
}
