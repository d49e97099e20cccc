/** Connections as clients, proxies and networks really use them: kept, half-open, broken off, with offers of other protocols. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunEvent } from '../../src/port/run_event';
import { type AgentBench, startBench } from '../support/agent_bench';
import { rawRequest } from '../support/raw_request';

const run = promisify(execFile);
const BODY = '{"input":"hello"}';

let bench: AgentBench;

beforeAll(async () => {
  bench = await startBench({ own: 'its log is read' });
  bench.model.onTurn('hello', 'hello too');
});

afterAll(() => bench?.stop());

function open(): { socket: Socket; text: () => string; closed: Promise<unknown> } {
  const { hostname, port } = new URL(bench.gateway.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', piece => {
    text += piece;
  });
  return { socket, text: () => text, closed: once(socket, 'end') };
}

const head = (lines: readonly string[]): string => `${[...lines, `Host: ${new URL(bench.gateway.url).host}`].join('\r\n')}\r\n\r\n`;
const post = (length: number): string =>
  head(['POST /api/v1/runs HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${length}`]);

const runs = async (): Promise<number> => (await bench.rest.request<{ data: unknown[] }>('GET', '/runs?limit=1000')).body.data.length;

/** Follows the run with this input to its end. */
async function endOf(input: string): Promise<RunEvent> {
  const { body } = await bench.rest.request<{ data: { input: string; runId: string }[] }>('GET', '/runs');
  const events = await bench.rest.stream('GET', `/runs/${body.data.find(run => run.input === input)?.runId}/events`);
  return events.at(-1) as RunEvent;
}

it('an idle connection is offered for longer than load balancers keep theirs', async () => {
  const { headers } = await fetch(`${bench.gateway.url}/healthz`);
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
});

it('one connection carries request after request', async () => {
  const { socket, text, closed } = open();
  for (let i = 1; i <= 3; i += 1) {
    socket.write(head(['GET /healthz HTTP/1.1']));
    while (text().split('{"status":"ok"}').length <= i) await once(socket, 'data');
  }
  socket.end();
  await closed;
  expect(text().match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
});

it('a client that closes its sending half counts as gone: the connection ends, and its run goes on', async () => {
  const before = await runs();
  const { socket, closed } = open();
  bench.model.onTurn('half gone', 'done all the same');
  const body = '{"input":"half gone"}';
  socket.end(post(body.length) + body);
  await Promise.all([closed, bench.model.waitFor('half gone')]);
  expect((await endOf('half gone')).data).toMatchObject({ status: 'completed', text: 'done all the same' });
  expect(await runs()).toBe(before + 1);
});

it('a client that breaks off within its body starts no run', async () => {
  const before = await runs();
  const { socket } = open();
  socket.write(post(1_000) + BODY);
  await new Promise<void>(resolve => socket.write(' ', () => resolve()));
  socket.destroy();
  await rawRequest(`${bench.gateway.url}/healthz`);
  expect(await runs()).toBe(before);
  expect(bench.gateway.output()).not.toContain('"level":"error"');
});

it('a run goes on when the caller that waits for it leaves', async () => {
  const { socket } = open();
  bench.model.onTurn('all alone', 'nobody listens');
  const body = '{"input":"all alone"}';
  socket.write(post(body.length) + body);
  await bench.model.waitFor('all alone');
  socket.destroy();
  expect((await endOf('all alone')).data).toMatchObject({ status: 'completed', text: 'nobody listens' });
});

const hasProgram = async (name: string): Promise<boolean> =>
  run(name, ['--version']).then(
    () => true,
    () => false,
  );

it('curl --http2, which offers h2c, gets its answers over HTTP/1.1', async () => {
  if (!(await hasProgram('curl'))) return;
  const url = `${bench.gateway.url}/api/v1/runs`;
  const { stdout } = await run('curl', [
    '-s',
    '--http2',
    '-w',
    ' %{http_version}',
    url,
    '-H',
    'content-type: application/json',
    '-d',
    BODY,
  ]);
  expect(stdout).toContain('hello too');
  expect(stdout).toMatch(/ 1\.1$/);
});

const JAVA = `
import java.net.URI;
import java.net.http.*;
public class Ask {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(args[0])).header("content-type", "application/json")
      .POST(HttpRequest.BodyPublishers.ofString(args[1])).build();
    var client = HttpClient.newHttpClient();
    for (int i = 0; i < 2; i++) {
      var response = client.send(request, HttpResponse.BodyHandlers.ofString());
      System.out.println(response.statusCode() + " " + response.body());
    }
  }
}
`;

it("Java's HttpClient with its default settings, which offers h2c, gets its answers", async () => {
  if (!(await hasProgram('java'))) return;
  const folder = await mkdtemp(join(tmpdir(), 'neta-java-'));
  try {
    const file = join(folder, 'Ask.java');
    await writeFile(file, JAVA);
    const { stdout } = await run('java', [file, `${bench.gateway.url}/api/v1/runs`, BODY]);
    expect(stdout.match(/^200 .*hello too/gm)).toHaveLength(2);
  } finally {
    await rm(folder, { recursive: true });
  }
});
