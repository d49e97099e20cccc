/** Prompts and resources of the MCP door: the skills, sessions and files of the caller's tenant, for clients of both kinds. */
import { bearer, type KeyBench, startKeyBench, withKey } from '../support/key_bench';
import { connectMcp } from '../support/mcp_client';
import { connectStateless } from '../support/mcp_stateless_client';

const SKILL = `---
name: tidy-up
description: Use it to tidy a folder.
---
First list the folder, then sort it.
`;

let keys: KeyBench;
const secrets: Record<string, string> = {};

beforeAll(async () => {
  keys = await startKeyBench();
  keys.bench.model.onTurn('remember the harbour', 'The harbour is remembered.');
  for (const tenant of ['acme', 'globex']) {
    const { secret } = await keys.makeKey({ name: `of-${tenant}`, tenant, scopes: ['chat', 'admin'] });
    secrets[tenant] = secret;
  }
  const acme = withKey(keys.url, secrets['acme'] ?? '');
  await acme.request('PUT', '/skills/tidy-up', { content: SKILL });
  await acme.request('POST', '/runs', { input: 'remember the harbour' });
  for (const [path, body] of [
    ['notes/plan a.md', 'Sail at dawn.'],
    ['picture.bin', Buffer.from([0, 1, 255])],
  ] as const)
    await fetch(`${keys.url}/api/v1/files/${encodeURI(path)}`, { method: 'PUT', headers: bearer(secrets['acme'] ?? ''), body });
}, 30_000);
afterAll(() => keys?.bench.stop());

/** What both clients can do. */
interface Reader {
  listPrompts(params?: { cursor?: string }): Promise<{ prompts: { name: string; description?: string | undefined }[] }>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<{ messages: { content: object }[] }>;
  listResources(params?: { cursor?: string }): Promise<{ resources: { uri: string; name: string }[]; nextCursor?: string | undefined }>;
  readResource(params: { uri: string }): Promise<{ contents: { text?: string; blob?: string }[] }>;
  close(): Promise<void>;
}

const CLIENTS: [string, (secret: string) => Promise<Reader>][] = [
  ['without a session', async secret => (await connectStateless(keys.url, { secret })).client as unknown as Reader],
  ['with a session', async secret => (await connectMcp(keys.url, { secret })).client as unknown as Reader],
];

describe.each(CLIENTS)('a client %s', (_name, connectReader) => {
  let acme: Reader;
  let globex: Reader;
  beforeAll(async () => {
    [acme, globex] = [await connectReader(secrets['acme'] ?? ''), await connectReader(secrets['globex'] ?? '')];
  });
  afterAll(async () => {
    await acme.close();
    await globex.close();
  });

  /** Reads all pages. */
  async function listAll(reader: Reader): Promise<{ uri: string; name: string }[]> {
    const first = await reader.listResources({});
    const all = [...first.resources];
    for (let { nextCursor: cursor } = first; cursor !== undefined; ) {
      const page = await reader.listResources({ cursor });
      all.push(...page.resources);
      cursor = page.nextCursor;
    }
    return all;
  }
  const readText = async (reader: Reader, uri: string) => (await reader.readResource({ uri })).contents[0]?.text;

  it('reads a skill as a prompt, with the task below the instructions', async () => {
    const { prompts } = await acme.listPrompts();
    expect(prompts).toContainEqual(expect.objectContaining({ name: 'tidy-up', description: 'Use it to tidy a folder.' }));
    const { messages } = await acme.getPrompt({ name: 'tidy-up', arguments: { task: 'the attic' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringMatching(/then sort it\.\s+the attic$/) } },
    ]);
  });

  it('lists sessions and files, page by page', async () => {
    const all = await listAll(acme);
    expect(all.map(({ uri }) => uri)).toEqual([
      expect.stringMatching(/^neta:\/\/sessions\/./),
      'neta://files/notes/',
      'neta://files/picture.bin',
    ]);
  });

  it('reads a session as text, a directory as addresses, a text file and other bytes', async () => {
    const [session] = await listAll(acme);
    expect(await readText(acme, session?.uri ?? '')).toBe(
      '**user**\n\nremember the harbour\n\n**assistant**\n\nThe harbour is remembered.',
    );
    expect(await readText(acme, 'neta://files/notes/')).toBe('neta://files/notes/plan%20a.md');
    expect(await readText(acme, 'neta://files/notes/plan%20a.md')).toBe('Sail at dawn.');
    expect((await acme.readResource({ uri: 'neta://files/picture.bin' })).contents).toMatchObject([{ blob: 'AAH/' }]);
  });

  it('shows nothing of another tenant', async () => {
    const [session] = await listAll(acme);
    expect((await globex.listPrompts()).prompts.map(({ name }) => name)).not.toContain('tidy-up');
    expect(await listAll(globex)).toEqual([]);
    const refused = { code: -32602, data: { code: 'not_found' } };
    await expect(globex.getPrompt({ name: 'tidy-up' })).rejects.toMatchObject(refused);
    await expect(globex.readResource({ uri: session?.uri ?? '' })).rejects.toMatchObject(refused);
    await expect(globex.readResource({ uri: 'neta://files/picture.bin' })).rejects.toMatchObject(refused);
  });

  it.each([
    ['neta://files/../../secrets', /invalid_request|not_found|forbidden/],
    ['neta://files/.neta/', /not_found|forbidden/],
    ['neta://files/%E0%A4%A', /invalid_request/],
    ['file:///etc/passwd', /not_found/],
  ])('refuses an address that stands for nothing: %s', async (uri, code) => {
    await expect(acme.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { code: expect.stringMatching(code) } });
  });

  it('refuses a cursor of its own making', async () => {
    await expect(acme.listResources({ cursor: 'x' })).rejects.toMatchObject({ code: -32602, data: { param: '/cursor' } });
  });
});
