import { FileLedgers } from '../../../src/service/tool/file_ledgers';

const bytes = (text: string) => Buffer.from(text);

describe('file ledgers', () => {
  it('keeps sessions and tenants apart', async () => {
    const ledgers = new FileLedgers();
    ledgers.ledgerFor('t', 's1').note('a.txt', bytes('1'));
    expect(await ledgers.ledgerFor('t', 's1').isStale('a.txt', bytes('2'))).toBe(true);
    expect(await ledgers.ledgerFor('t', 's1').isStale('a.txt', bytes('1'))).toBe(false);
    expect(await ledgers.ledgerFor('t', 's1').isStale('b.txt', bytes('2'))).toBe(false);
    expect(await ledgers.ledgerFor('t', 's2').isStale('a.txt', bytes('2'))).toBe(false);
    expect(await ledgers.ledgerFor('u', 's1').isStale('a.txt', bytes('2'))).toBe(false);
  });

  it('forgets the sessions and files used longest ago, so that memory is bounded', async () => {
    const ledgers = new FileLedgers();
    const first = ledgers.ledgerFor('t', 'first');
    for (let i = 0; i <= 1_000; i += 1) first.note(`${i}.txt`, bytes('1'));
    expect(await first.isStale('0.txt', bytes('2'))).toBe(false);
    expect(await first.isStale('1.txt', bytes('2'))).toBe(true);
    for (let i = 0; i < 500; i += 1) ledgers.ledgerFor('t', `other${i}`);
    expect(await ledgers.ledgerFor('t', 'first').isStale('1.txt', bytes('2'))).toBe(false);
  });

  it('knows a refused edit again', () => {
    const ledger = new FileLedgers().ledgerFor('t', 's');
    expect([ledger.noteRefusal('x'), ledger.noteRefusal('y'), ledger.noteRefusal('x')]).toEqual([false, false, true]);
  });
});
