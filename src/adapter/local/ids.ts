import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, IdSource } from '../../port/clock';

// ASCII order makes ids sort as text; 32 letters let a random byte map to a letter without bias.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LETTERS = 10;
const RANDOM_LETTERS = 16;

/**
 * Creates ids `<prefix>_<10 letters of time><16 letters of randomness>`: 80 unguessable bits, sortable by the millisecond of creation. The time
 * never goes backwards within a process, even when the wall clock does.
 */
export function createIdSource(clock: Pick<Clock, 'now'>): IdSource {
  let latest = 0;
  return {
    next(prefix) {
      latest = Math.max(latest, Math.floor(clock.now()));
      return `${prefix}_${timeText(latest)}${randomText()}`;
    },
    uuid: () => randomUUID(),
  };
}

function timeText(milliseconds: number): string {
  let rest = milliseconds;
  let text = '';
  for (let i = 0; i < TIME_LETTERS; i += 1) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomText(): string {
  let text = '';
  for (const byte of randomBytes(RANDOM_LETTERS)) text += ALPHABET[byte % 32];
  return text;
}
