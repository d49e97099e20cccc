/**
 * Counts of a turn that do not depend on the machine: the regression check for speed, see docs/performance.md. When a count exceeds its limit,
 * find out what grew before you raise the limit.
 */
import { type ChatClient, connectChat } from '../support/chat_client';
import { createRestClient, parseEventStream } from '../support/rest_client';
import { type ByteRelay, startByteRelay } from './byte_relay';
import { type CountingGateway, type Counts, startCountingGateway, statementsBetween } from './counting_gateway';

/** What a turn with two tool rounds that only read may cost. */
const LIMITS = {
  /** Transaction statements included. */
  statements: 36,
  commits: 3,
  /** Events that the run waits for until they are on disk. The acceptance of the message is one more. */
  awaitedRecords: 1,
  /** Beside the JSON of the event: frame and packet, or the fields of server-sent events. */
  bytesAroundSocketEvent: 30,
  bytesAroundStreamEvent: 36,
  /** Each wait for a promise counts as one more. */
  promises: 745,
  /** The median of some turns, usually 840, and 950 at the first start of a new build: a turn during which V8 compiles allocates up to half more. */
  bytesPerToken: 1_100,
};

const READERS = 5;
const PIECES = 2_000;
/** Turns that are counted where one turn may differ from the next: what is written in the background may take one commit or several. */
const TURNS = 5;

describe('the counts of a turn', () => {
  let bench: CountingGateway;
  let relay: ByteRelay;

  beforeAll(async () => {
    bench = await startCountingGateway({ 'notes.txt': 'A line of notes.\n'.repeat(20) });
    relay = await startByteRelay(bench.gateway.url);
    const { model } = bench;
    const list = { toolCalls: [{ name: 'list_dir', arguments: { path: '.' } }] };
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] };
    model.onTurn('look', list, read, 'Twenty lines of notes.');
    model.onTurn('short', { text: 'word ', chunkSize: 5 });
    model.onTurn('long', { text: 'word '.repeat(PIECES), chunkSize: 5 });
  });
  afterAll(async () => {
    await relay?.close();
    await bench?.stop();
  });

  async function runTurn(text: string): Promise<void> {
    const { body } = await createRestClient(bench.gateway.url).run({ input: text });
    expect(body.status).toBe('completed');
  }

  /** Counts the third turn: the first ones load what is loaded lazily. */
  async function countTurn(text: string): Promise<{ before: Counts; after: Counts }> {
    await runTurn(text);
    await runTurn(text);
    const before = await bench.readCounts();
    await runTurn(text);
    return { before, after: await bench.readCounts() };
  }

  /** Runs the turn that looks around, read by so many sockets, and returns the client that sent it. */
  async function chatWithReaders(readers: number, url = bench.gateway.url): Promise<{ client: ChatClient; runId: string }> {
    const client = await connectChat(url);
    const { sessionId, runId: first } = await client.chat('short');
    await client.endOf(first);
    const others = await Promise.all(Array.from({ length: readers - 1 }, () => connectChat(url)));
    for (const other of others) await other.send({ type: 'subscribe', sessionId });
    const { runId } = await client.chat('look around', { sessionId });
    await Promise.all([client, ...others].map(reader => reader.endOf(runId)));
    for (const reader of [client, ...others]) reader.close();
    return { client, runId };
  }

  it('executes few SQL statements, commits seldom and waits for few commits', async () => {
    const turns = [await countTurn('look around')];
    while (turns.length < TURNS) turns.push(await countTurn('look around'));
    const statements = turns.map(({ before, after }) => statementsBetween(before, after)).toSorted((a, b) => sum(a) - sum(b))[0];
    const sorted = [...(statements ?? [])].sort(([, a], [, b]) => b - a).map(([sql, number]) => `${number} x ${sql.slice(0, 100)}`);
    expect(sum(statements)).toBeGreaterThan(10);
    expectAtMost('SQL statements', sum(statements), LIMITS.statements, sorted.join('\n'));
    expectAtMost('commits', statements?.get('commit') ?? 0, LIMITS.commits);
    expectAtMost('awaited records', Math.min(...turns.map(({ before, after }) => after.records - before.records)), LIMITS.awaitedRecords);
  });

  it('commits no more often when the first turn of a session chooses its memories', async () => {
    await createRestClient(bench.gateway.url).request('POST', '/memories', { text: 'The user likes tea.' });
    const turns = [await countTurn('look around')];
    while (turns.length < TURNS) turns.push(await countTurn('look around'));
    const commits = turns.map(({ before, after }) => statementsBetween(before, after).get('commit') ?? 0);
    expectAtMost('commits', Math.min(...commits), LIMITS.commits);
  });

  it('encodes an event once for all sockets', async () => {
    await chatWithReaders(1);
    const before = await bench.readCounts();
    await chatWithReaders(1);
    const between = await bench.readCounts();
    await chatWithReaders(READERS);
    const after = await bench.readCounts();
    expect(between.encodings).toBeGreaterThan(before.encodings);
    // Bursts of text may become one delta more or less.
    expectAtMost('encodings with more readers', after.encodings - between.encodings, between.encodings - before.encodings + 2);
  });

  it('sends a socket few bytes beside the JSON of an event', async () => {
    const client = await connectChat(relay.url);
    const { runId: first, sessionId } = await client.chat('short');
    await client.endOf(first);
    const before = relay.sentBytes();
    const { runId } = await client.chat('look around', { sessionId });
    await client.endOf(runId);
    const events = client.eventsOf(runId);
    client.close();
    const json = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
    // The ack of the chat message is about as large as the envelope of an event.
    expectAtMost('bytes around an event', (relay.sentBytes() - before - json) / events.length, LIMITS.bytesAroundSocketEvent);
  });

  it('sends an event stream few bytes beside the JSON of an event', async () => {
    const before = relay.sentBytes();
    const text = await readStream(relay.url, 'look around');
    const head = relay.sentBytes() - before - Buffer.byteLength(text);
    const events = parseEventStream(text);
    const json = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
    const bytes = Buffer.byteLength(text) - json;
    expectAtMost('bytes around an event', bytes / events.length, LIMITS.bytesAroundStreamEvent);
    expectAtMost('bytes of headers and HTTP chunks', head, 800);
  });

  it('allocates little heap per streamed token', async () => {
    const { collections } = await bench.readCounts();
    const sizes: number[] = [];
    while (sizes.length < TURNS) {
      const short = await countTurn('short');
      const long = await countTurn('long');
      sizes.push((allocated(long) - allocated(short)) / (PIECES - 1));
    }
    expect((await bench.readCounts()).collections).toBe(collections);
    expectAtMost('bytes per token', median(sizes), LIMITS.bytesPerToken, `All turns: ${sizes.join(', ')}`);
  });

  it('makes few promises', async () => {
    await bench.countPromises();
    const turns: number[] = [];
    while (turns.length < TURNS) {
      const { before, after } = await countTurn('look around');
      turns.push(after.promises - before.promises);
    }
    expect(Math.min(...turns)).toBeGreaterThan(100);
    expectAtMost('promises', Math.min(...turns), LIMITS.promises);
  });
});

const sum = (statements: ReadonlyMap<string, number> = new Map()): number => [...statements.values()].reduce((all, one) => all + one, 0);

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const allocated = ({ before, after }: { before: Counts; after: Counts }): number => after.heapBytes - before.heapBytes;

async function readStream(url: string, input: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const response = await fetch(`${url}/api/v1/runs`, { method: 'POST', headers, body: JSON.stringify({ input }) });
  return response.text();
}

/** Fails with a message that says what grew. */
function expectAtMost(name: string, value: number, limit: number, details = ''): void {
  if (process.env['NETA_PRINT_COUNTS']) process.stderr.write(`${name}: ${value} of ${limit}\n`);
  if (value > limit) throw new Error(`${name}: ${value}, at most ${limit} are allowed. Find out what grew.\n${details}`);
}
