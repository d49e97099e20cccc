import { discoverStateless } from '../../../src/adapter/mcp/stateless_probe';

const target = { kind: 'http' as const, url: 'http://server.example/mcp', headers: { authorization: 'Bearer x' }, secrets: [] };
const { signal } = new AbortController();
const refusal = (supported: string[]) => ({ error: { code: -32022, message: 'Unsupported protocol version', data: { supported } } });

/** Answers request after request, and remembers them. */
function serverOf(...answers: object[]) {
  const requests: { headers: Headers; body: { method: string; params: { _meta: object } } }[] = [];
  const fetch = async (_url: string | URL, init?: RequestInit) => {
    requests.push({ headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) });
    return Response.json({ jsonrpc: '2.0', id: 0, ...answers[requests.length - 1] });
  };
  return { requests, fetch };
}

it('asks as the version says', async () => {
  const { requests, fetch } = serverOf({ result: { supportedVersions: ['2026-07-28'] } });
  expect(await discoverStateless(target, signal, fetch)).toEqual({ supportedVersions: ['2026-07-28'] });
  const [{ headers, body } = { headers: new Headers(), body: undefined }] = requests;
  expect(['mcp-protocol-version', 'mcp-method', 'authorization'].map(name => headers.get(name))).toEqual([
    '2026-07-28',
    'server/discover',
    'Bearer x',
  ]);
  expect(body?.params._meta).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' });
});

it('asks once more when the server refuses a version that it names as its own', async () => {
  const { requests, fetch } = serverOf(refusal(['2026-07-28']), { result: { supportedVersions: ['2026-07-28'] } });
  expect(await discoverStateless(target, signal, fetch)).toMatchObject({ supportedVersions: ['2026-07-28'] });
  expect(requests).toHaveLength(2);
});

it.each([
  [refusal(['2025-11-25'])],
  [{ error: { code: -32601, message: 'no such method' } }],
  [{ result: { supportedVersions: ['2030-01-01'] } }],
  [{}],
])('finds no such server behind the answer %j', async answer => {
  const { requests, fetch } = serverOf(answer);
  expect(await discoverStateless(target, signal, fetch)).toBeUndefined();
  expect(requests).toHaveLength(1);
});
