/** Serves an agent over Socket.IO with one packet per delta. Speaks the few messages of the gateway that the bench uses. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from 'socket.io';

/** `runTurn(sessionId, text, onDelta)` resolves at the end of the turn; it keeps the history of the session. */
export function serveSockets(runTurn) {
  const http = createServer();
  new Server(http).on('connection', socket => {
    socket.on('message', ({ text, sessionId = randomUUID() }, ack) => {
      const runId = randomUUID();
      ack({ ok: true, sessionId, runId });
      const emit = (type, data) => socket.emit('message', { type, runId, sessionId, data });
      runTurn(sessionId, text, piece => emit('text_delta', { text: piece })).then(
        () => emit('run_end', { status: 'completed' }),
        error => emit('run_end', { status: 'failed', error: String(error?.stack ?? error) }),
      );
    });
  });
  http.listen(0, '127.0.0.1', () => console.log(`ready on http://127.0.0.1:${http.address().port}`));
}
