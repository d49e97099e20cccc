import { decodeCursor, markStored } from '../../../src/service/run_log/stored_cursor';

test('a marked cursor is read back, also that of a run without events', () => {
  for (const seq of [0, 1, 499_999_999]) expect(decodeCursor(markStored(seq))).toEqual({ seq, isStored: true });
  for (const seq of [0, 1, 499_999_999]) expect(decodeCursor(seq)).toEqual({ seq, isStored: false });
});
