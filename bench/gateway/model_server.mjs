/** A scripted model server (chat completions, streaming): two tool rounds, then 200 tokens. Prints its address; runs until it is killed. */
import { createServer } from 'node:http';

const TOKENS = 200;
/** Tokens in one write when the answer is not paced, as a fast model server sends them. */
const BURST = 10;
const PACE_MS = 20;

const ROUNDS = [
  { name: 'list_dir', arguments: '{"path":"."}' },
  { name: 'read_file', arguments: '{"path":"notes.txt"}' },
];

let calls = 0;

const chunk = (delta, finishReason = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage: { prompt_tokens: 100, completion_tokens: TOKENS, total_tokens: 100 + TOKENS } })}\n\n`;

const textOf = content => (typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join(''));

function endAnswer(response, finishReason) {
  response.end(`${chunk({}, finishReason)}${USAGE}data: [DONE]\n\n`);
}

function callTool(response, { name, arguments: args }) {
  calls += 1;
  const call = { index: 0, id: `call_${calls}`, type: 'function', function: { name, arguments: args } };
  response.write(chunk({ role: 'assistant', content: null, tool_calls: [call] }));
  endAnswer(response, 'tool_calls');
}

function sendBursts(response) {
  response.write(chunk({ role: 'assistant', content: '' }));
  for (let sent = 0; sent < TOKENS; sent += BURST) {
    response.write(Array.from({ length: BURST }, (_, i) => chunk({ content: `token${sent + i} ` })).join(''));
  }
  endAnswer(response, 'stop');
}

/** Each token is the time at which it was sent, so that the client can tell how late it came. */
function sendPaced(response) {
  response.write(chunk({ role: 'assistant', content: '' }));
  let sent = 0;
  const timer = setInterval(() => {
    if (response.destroyed) return clearInterval(timer);
    response.write(chunk({ content: `@${Date.now()} ` }));
    sent += 1;
    if (sent < TOKENS) return;
    clearInterval(timer);
    endAnswer(response, 'stop');
  }, PACE_MS);
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', piece => {
    body += piece;
  });
  request.on('end', () => {
    const { messages } = JSON.parse(body);
    const lastUser = messages.findLastIndex(message => message.role === 'user');
    const round = messages.slice(lastUser).filter(message => message.role === 'assistant').length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = textOf(messages[lastUser]?.content);
    if (!text.startsWith('plain') && round < ROUNDS.length) callTool(response, ROUNDS[round]);
    else if (text.startsWith('paced')) sendPaced(response);
    else sendBursts(response);
  });
});

server.listen(0, '127.0.0.1', () => console.log(`ready on http://127.0.0.1:${server.address().port}`));
