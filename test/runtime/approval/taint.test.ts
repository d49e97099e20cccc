import type { TaintSource } from '../../../src/port/run_event';
import { fitsHost, namesHost, taintOf } from '../../../src/runtime/approval/taint';

const FILE: TaintSource = { toolCallId: 'c1', tool: 'read_file', kind: 'private', source: 'notes.txt' };
const PAGE: TaintSource = { toolCallId: 'c2', tool: 'fetch_page', kind: 'untrusted', source: 'https://a.example/' };
const FETCH = { effect: 'read', reaches: 'outside' } as const;

const isNamed = ({ hostname }: URL): boolean => hostname === 'good.example';
const decide = (args: unknown, sources = [FILE, PAGE], tool: Parameters<typeof taintOf>[0]['tool'] = FETCH) =>
  taintOf({ tool, args }, { sources, isNamed }) !== undefined;

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

  it('when the tool has the effect external, but not when it asks a person', () => {
    expect(decide({ text: 'x' }, [FILE, PAGE], { effect: 'external' })).toBe(true);
    expect(decide({ text: 'x' }, [FILE, PAGE], { effect: 'external', asksPerson: true })).toBe(false);
    expect(decide({ path: 'x' }, [FILE, PAGE], { effect: 'write' })).toBe(false);
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
