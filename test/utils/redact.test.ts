import { createRedactor, PieceRedactor, redactMadeKeys } from '../../src/utils/redact';

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

it('replaces keys that the gateway made, which it knows by their form', () => {
  expect(redactMadeKeys(`Bearer neta_${'A1-_'.repeat(10)}xyz!`)).toBe('Bearer [redacted]!');
  expect(redactMadeKeys('neta_gateway is a name')).toBe('neta_gateway is a name');
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
