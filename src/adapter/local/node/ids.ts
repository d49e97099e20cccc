import { randomFillSync, randomUUID } from 'node:crypto';
import type { Clock, IdSource } from '../../../port/clock';

// ASCII order makes ids sort as text; 32 letters let a random byte map to a letter without bias.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LETTERS = 10;
/** Letters that count the ids of one millisecond. */
const COUNT_LETTERS = 2;
const IDS_PER_MS = 32 ** COUNT_LETTERS;
const RANDOM_LETTERS = 14;
/** Random bytes that are drawn at once: a call into the cryptographic library costs more than the bytes. */
const DRAWN_BYTES = 128 * RANDOM_LETTERS;

/**
 * Creates ids `<prefix>_<10 letters of time><2 letters of count><14 letters of randomness>`: 70 unguessable bits, sortable in the order of
 * creation within a process. The time never goes backwards, even when the wall clock does.
 */
export function createIdSource(clock: Pick<Clock, 'now'>): IdSource {
  let latest = 0;
  let count = 0;
  let timeText = '';
  const randomText = createRandomText();
  return {
    next(prefix) {
      const isFull = ++count === IDS_PER_MS;
      const now = Math.max(isFull ? latest + 1 : latest, Math.floor(clock.now()));
      if (now > latest || timeText === '') {
        count = 0;
        timeText = sortableText(now, TIME_LETTERS);
      }
      latest = now;
      return `${prefix}_${timeText}${sortableText(count, COUNT_LETTERS)}${randomText()}`;
    },
    uuid: () => randomUUID(),
  };
}

function sortableText(value: number, letters: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < letters; i += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Returns random text for ids. Each random byte is used once. */
function createRandomText(): () => string {
  const bytes = Buffer.allocUnsafeSlow(DRAWN_BYTES);
  let used = bytes.length;
  return () => {
    if (used === bytes.length) {
      randomFillSync(bytes);
      used = 0;
    }
    let text = '';
    for (const end = used + RANDOM_LETTERS; used < end; used += 1) text += ALPHABET[bytes.readUInt8(used) % 32];
    return text;
  };
}
