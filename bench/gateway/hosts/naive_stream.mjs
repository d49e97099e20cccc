/** The naive loop behind server-sent events: one event per delta. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { runTurn } from './naive_agent.mjs';

const http = createServer((request, response) => {
  let body = '';
  request.on('data', piece => {
    body += piece;
  });
  request.on('end', () => {
    const { input, sessionId = randomUUID() } = JSON.parse(body);
    const runId = randomUUID();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, runId, sessionId, data })}\n\n`);
    runTurn(sessionId, input, text => send('text_delta', { text })).then(
      () =>
        response.end(`event: run_end\ndata: ${JSON.stringify({ type: 'run_end', runId, sessionId, data: { status: 'completed' } })}\n\n`),
      error => response.destroy(error),
    );
  });
});
http.listen(0, '127.0.0.1', () => console.log(`ready on http://127.0.0.1:${http.address().port}`));
