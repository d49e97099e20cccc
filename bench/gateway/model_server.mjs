/**
 * A scripted model server (chat completions, streaming). Prints its address; runs until it is killed. The first word of the user's message
 * chooses the script: `plain` answers with 200 tokens, `paced` sends them 20 ms apart, `flood` sends 20,000, `patch 7` calls the tool patch,
 * which changes "Counter 7" into "Counter 8", `plan 9` writes a plan of nine items, `ask` asks the person, `big` answers with 3.5 MB; any other word
 * calls two tools that read, and `wait` waits a third of a second before each of its three answers. A request without tools, such as for a summary,
 * is answered with text.
 */
import { createServer } from 'node:http';

const TOKENS = 200;
const FLOOD_TOKENS = 20_000;
/** Tokens in one write when the answer is not paced, as a fast model server sends them. */
const BURST = 10;
const PACE_MS = 20;
/** Milliseconds before each answer to `wait`, and the tokens of the last one. */
const WAIT_MS = 333;
const WAIT_TOKENS = 40;
const BIG_BYTES = 3_500_000;
const BIG_PIECE = 'a word of a long text '.repeat(45);

const READS = [
  { name: 'list_dir', arguments: '{"path":"."}' },
  { name: 'read_file', arguments: '{"path":"notes.txt"}' },
];
const change = number => ({
  name: 'patch',
  arguments: JSON.stringify({ path: 'counter.txt', old_string: `Counter ${number}\n`, new_string: `Counter ${number + 1}\n` }),
});

const ask = { name: 'clarify', arguments: '{"question":"Which one?"}' };

const plan = items => ({
  name: 'todo',
  arguments: JSON.stringify({
    todos: Array.from({ length: items }, (_, i) => ({ id: `${i}`, content: `Item ${i} of the plan`, status: 'pending' })),
  }),
});

let calls = 0;
let answers = 0;

/** One answer of the model. Its id is unique: some clients take equal ids for the same message. */
class Answer {
  hasWaited = false;

  constructor(response) {
    this.response = response;
    this.id = `chatcmpl-${++answers}`;
  }

  chunk(delta, finishReason = null) {
    const choices = [{ index: 0, delta, finish_reason: finishReason }];
    return `data: ${JSON.stringify({ id: this.id, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices })}\n\n`;
  }

  end(finishReason) {
    const usage = { prompt_tokens: 100, completion_tokens: TOKENS, total_tokens: 100 + TOKENS };
    const last = { id: this.id, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [], usage };
    this.response.end(`${this.chunk({}, finishReason)}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
  }

  callTool({ name, arguments: args }) {
    const call = { index: 0, id: `call_${++calls}`, type: 'function', function: { name, arguments: args } };
    this.response.write(this.chunk({ role: 'assistant', content: null, tool_calls: [call] }));
    this.end('tool_calls');
  }

  sendBursts(tokens) {
    this.response.write(this.chunk({ role: 'assistant', content: '' }));
    for (let sent = 0; sent < tokens; sent += BURST) {
      this.response.write(Array.from({ length: BURST }, (_, i) => this.chunk({ content: `token${sent + i} ` })).join(''));
    }
    this.end('stop');
  }

  sendBig() {
    const pieces = Math.ceil(BIG_BYTES / BIG_PIECE.length);
    for (let sent = 0; sent < pieces; sent += 1) this.response.write(this.chunk({ content: BIG_PIECE }));
    this.end('stop');
  }

  /** Each token is the time at which it was sent, so that the client can tell how late it came. */
  sendPaced() {
    this.response.write(this.chunk({ role: 'assistant', content: '' }));
    let sent = 0;
    const timer = setInterval(() => {
      if (this.response.destroyed) return clearInterval(timer);
      this.response.write(this.chunk({ content: `@${Date.now()} ` }));
      sent += 1;
      if (sent < TOKENS) return;
      clearInterval(timer);
      this.end('stop');
    }, PACE_MS);
  }
}

const textOf = content => (typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join(''));

function toolCallsOf(word, number) {
  return { plain: [], flood: [], big: [], ask: [ask], patch: [change(number)], plan: [plan(number)] }[word] ?? READS;
}

function answerTo({ messages, tools = [] }, answer) {
  const lastUser = messages.findLastIndex(message => message.role === 'user');
  const round = messages.slice(lastUser).filter(message => message.role === 'assistant').length;
  const [word, number] = textOf(messages[lastUser]?.content).split(' ');
  if (word === 'wait' && !answer.hasWaited) {
    answer.hasWaited = true;
    return setTimeout(() => answerTo({ messages, tools }, answer), WAIT_MS);
  }
  const toolCalls = toolCallsOf(word, Number(number));
  if (tools.length > 0 && round < toolCalls.length) answer.callTool(toolCalls[round]);
  else if (word === 'paced') answer.sendPaced();
  else if (word === 'big') answer.sendBig();
  else answer.sendBursts({ flood: FLOOD_TOKENS, wait: WAIT_TOKENS }[word] ?? TOKENS);
}

const server = createServer((request, response) => {
  // The gateway looks whether the server is there.
  if (request.method === 'GET') return response.writeHead(404).end();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', piece => {
    body += piece;
  });
  request.on('end', () => {
    const request = JSON.parse(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answerTo(request, new Answer(response));
  });
});

server.listen(0, '127.0.0.1', () => console.log(`ready on http://127.0.0.1:${server.address().port}`));
