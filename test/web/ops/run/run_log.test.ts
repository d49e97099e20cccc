import type { RunEvent } from '../../../../src/port/run_event';
import { addPage, EMPTY_LOG, eventAt, eventsAround, findMissing, PAGE_SIZE, textAt } from '../../../../web/src/ops/run/run_log';

const ENDS = 3_000;
const delta = (seq: number) => ({ seq, type: 'text_delta', data: { text: `${seq} ` } }) as RunEvent;
const answer = (seq: number) => ({ seq, type: 'message_end', data: { role: 'assistant', content: '' } }) as RunEvent;
/** An answer of 3,000 deltas behind another one. */
const stored = [answer(1), ...Array.from({ length: ENDS - 1 }, (_, i) => delta(i + 2))];
const read = (after: number) => stored.filter(({ seq }) => seq > after).slice(0, PAGE_SIZE);

it('reads only what is looked at, and the answer up to there', () => {
  let log = { ...EMPTY_LOG, last: ENDS };
  const asked: number[] = [];
  const look = (seq: number) => {
    for (let after = findMissing(log, seq, 6); after !== undefined; after = findMissing(log, seq, 6)) {
      asked.push(after);
      log = addPage(log, after, read(after));
    }
  };
  look(1);
  expect([asked, eventAt(log, 1)?.seq, eventsAround(log, 1, 6).length]).toEqual([[0], 1, 13]);
  look(1_200);
  expect(eventsAround(log, 1_200, 6).map(({ seq }) => seq)).toEqual(Array.from({ length: 13 }, (_, i) => 1_194 + i));
  expect(textAt(log, 1_200).text).toBe(
    read(0)
      .concat(stored.slice(PAGE_SIZE, 1_200))
      .slice(1)
      .map(({ seq }) => `${seq} `)
      .join(''),
  );
  expect(asked.length).toBeLessThanOrEqual(4);
  look(ENDS);
  expect(eventAt(log, ENDS + 10)?.seq).toBe(ENDS);
});

it('goes on behind the newest event, and begins where the store does', () => {
  const log = addPage({ ...EMPTY_LOG, last: 20 }, 0, [delta(15), answer(16), delta(17), delta(18), delta(19), delta(20)]);
  expect([log.first, eventAt(log, 3)?.seq, findMissing(log, 3, 6)]).toEqual([15, 15, undefined]);
  expect(findMissing({ ...log, last: 22 }, 22, 6)).toBe(20);
});
