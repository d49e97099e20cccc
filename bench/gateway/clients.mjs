/** Clients of a host over Socket.IO and over server-sent events. A turn resolves when its end came; times are milliseconds. */
import { io } from 'socket.io-client';

/** Opens a connected socket. `auth`: what the client can do. */
export async function openSocket(url, auth) {
  const socket = io(url, { transports: ['websocket'], forceNew: true, auth });
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/**
 * Opens a socket; `turn(text)` sends a message in the socket's session and resolves with when its ack, its first text and its end came, and how late
 * paced tokens were.
 */
export async function openChat(url, sessionId) {
  const socket = await openSocket(url);
  return {
    close: () => socket.close(),
    async turn(text) {
      const sent = performance.now();
      const watch = createWatch(sent);
      const ended = new Promise((resolve, reject) => {
        const onMessage = message => {
          if (message.type === 'text_delta') watch.onText(message.data.text);
          if (message.type !== 'run_end') return;
          socket.off('message', onMessage);
          if (message.data.status === 'completed') resolve({ ...watch.result(), turnMs: performance.now() - sent });
          else reject(new Error(`a turn ended as ${message.data.status}: ${JSON.stringify(message.data)}`));
        };
        socket.on('message', onMessage);
      });
      // A run can fail before its ack comes.
      ended.catch(() => {});
      const ack = await socket.emitWithAck('message', { type: 'chat', text, ...(sessionId && { sessionId }) });
      if (!ack.ok) throw new Error(`a message was refused: ${JSON.stringify(ack.error)}`);
      sessionId = ack.sessionId;
      const ackMs = performance.now() - sent;
      return { ...(await ended), ackMs };
    },
  };
}

/** Opens a socket that sends messages and then reads nothing. */
export async function openSlowReader(url) {
  const socket = await openSocket(url);
  return {
    close: () => socket.close(),
    send(texts) {
      for (const text of texts) socket.emit('message', { type: 'chat', text }, () => {});
      socket.io.engine.transport.ws._socket.pause();
    },
  };
}

/** Sends a turn to the REST door and reads its event stream to the end. */
export function openStream(url) {
  let sessionId;
  return {
    close() {},
    async turn(text) {
      const watch = createWatch(performance.now());
      const response = await fetch(`${url}/api/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ input: text, ...(sessionId && { sessionId }) }),
      });
      let rest = '';
      let isEnded = false;
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + piece).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('data: ')) continue;
          const event = JSON.parse(line.slice(6));
          sessionId = event.sessionId;
          if (event.type === 'text_delta') watch.onText(event.data.text);
          if (event.type === 'run_end') isEnded = event.data.status === 'completed';
        }
      }
      if (!isEnded) throw new Error(`a stream ended early with status ${response.status}`);
      return watch.result();
    },
  };
}

function createWatch(sent) {
  let firstTextMs;
  const lags = [];
  return {
    onText(text) {
      firstTextMs ??= performance.now() - sent;
      const now = Date.now();
      for (const [, time] of text.matchAll(/@(\d+) /g)) lags.push(now - Number(time));
    },
    result: () => ({ firstTextMs, lags }),
  };
}
