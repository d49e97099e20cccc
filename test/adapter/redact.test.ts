import { createKnownSecrets, createRedactor, PieceRedactor } from '../../src/adapter/redact';
import { cpuTime } from '../support/cpu_time';

describe('createRedactor', () => {
  it('replaces a short secret only as a whole token', () => {
    const redact = createRedactor(['gardener']);
    expect(redact('gardener, "gardener" key=gardener;')).toBe('[redacted], "[redacted]" key=[redacted];');
    expect(redact('{"text":"one\\ngardener"}')).toBe('{"text":"one\\n[redacted]"}');
    expect(redact('gardeners and the-gardener stay')).toBe('gardeners and the-gardener stay');
  });

  it('replaces a long secret inside longer words too', () => {
    expect(createRedactor(['0123456789abcdef'])('x0123456789abcdefy')).toBe('x[redacted]y');
  });

  it('leaves texts alone for a secret that is no more than a word', () => {
    expect(createRedactor(['k', 'true', ''])('k is true, a key is not')).toBe('k is true, a key is not');
  });

  it('takes characters of patterns as they are', () => {
    expect(createRedactor(['a.b+c(d)'])('say a.b+c(d) or aXb+c(d)')).toBe('say [redacted] or aXb+c(d)');
  });
});

describe('the known secrets', () => {
  it('hold what the gateway made by its form: API keys, cookies and keys of webhooks', () => {
    const { redact } = createKnownSecrets();
    expect(redact(`Bearer neta_${'A1-_'.repeat(10)}xyz!`)).toBe('Bearer [redacted]!');
    expect(redact(`key whsec_${'A1+/'.repeat(10)}xy==.`)).toBe('key [redacted].');
    expect(redact('neta_gateway and whsec_short are names')).toBe('neta_gateway and whsec_short are names');
  });

  it('grow, and are found as they are, in JSON, in an address and line by line', () => {
    const secrets = createKnownSecrets(['first-secret-0123']);
    expect(secrets.redact('first-secret-0123 "quoted"secret-456')).toBe('[redacted] "quoted"secret-456');
    secrets.addSecrets(['"quoted"secret-456', 'a line of the key\nanother line of it', 'k']);
    expect(secrets.redact('"quoted"secret-456 k')).toBe('[redacted] k');
    expect(secrets.redact(JSON.stringify({ a: '"quoted"secret-456' }))).toBe('{"a":"[redacted]"}');
    expect(secrets.redact('?q=%22quoted%22secret-456')).toBe('?q=[redacted]');
    expect(secrets.redact('log: another line of it')).toBe('log: [redacted]');
  });

  it('are replaced with those of the same owner, such as tokens that are refreshed', () => {
    const secrets = createKnownSecrets(['first-secret-0123']);
    secrets.setSecrets('server', ['old-token-of-the-server']);
    expect(secrets.redact('old-token-of-the-server')).toBe('[redacted]');
    secrets.setSecrets('server', ['new-token-of-the-server']);
    expect(secrets.redact('first-secret-0123 old-token-of-the-server new-token-of-the-server')).toBe(
      '[redacted] old-token-of-the-server [redacted]',
    );
  });

  it('are removed whole when one is the beginning of another', () => {
    expect(createKnownSecrets(['0123456789abcdef', '0123456789abcdef-long']).redact('0123456789abcdef-long')).toBe('[redacted]');
  });

  it('takes 50 of them out of a megabyte within 30 ms', () => {
    const { redact } = createKnownSecrets(Array.from({ length: 50 }, (_, i) => `sk-${i}-${'secret'.repeat(4)}-${i * 7919}`));
    const text = 'A line of a result with words and 12345 figures.\n'.repeat(21_000);
    redact(text);
    const began = cpuTime();
    expect(redact(text)).toBe(text);
    expect(cpuTime() - began).toBeLessThan(30);
  });
});

it('replaces a secret that comes in two pieces, and keeps back no more than what can be its beginning', () => {
  const pieces = new PieceRedactor(['0123456789abcdef']);
  expect([pieces.add('a 01'), pieces.add('2x '), pieces.add('key=0123456'), pieces.add('789abcdef.')]).toEqual([
    'a ',
    '012x ',
    'key=',
    '[redacted].',
  ]);
  expect([pieces.add('ends with 0123'), pieces.finish(), pieces.finish()]).toEqual(['ends with ', '0123', '']);
});

it('replaces a key that the gateway made, wherever the pieces part it', () => {
  const text = `a neta_${'k1'.repeat(21)}x new whsec_${'aB'.repeat(20)}== which`;
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = new PieceRedactor([]);
    expect(pieces.add(text.slice(0, cut)) + pieces.add(text.slice(cut)) + pieces.finish()).toBe('a [redacted] new [redacted] which');
  }
});
